"""The web page starts for somebody who never ran Streamlit, and asks nothing."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def test_it_starts_without_a_question_in_an_empty_home_and_with_no_terminal(tmp_path: Path) -> None:
    port = _free_port()
    command = [sys.executable, "-c", "from anamnesis.cli import main; main()", "app", "--port", str(port)]
    environment = os.environ | {"HOME": str(tmp_path), "ANAMNESIS_HOME": str(tmp_path / "work"), "BROWSER": "true"}
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    try:
        until = time.monotonic() + 60
        while not (healthy := _answers(f"http://127.0.0.1:{port}/_stcore/health")) and time.monotonic() < until:
            if process.poll() is not None:
                break
            time.sleep(0.2)
    finally:
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=20)
    assert healthy, said
    assert "email" not in said.lower()
    assert "streamlit" not in said.lower()
    assert not (tmp_path / ".streamlit" / "credentials.toml").exists()
