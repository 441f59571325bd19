"""Learns the model anew: python -m simulator.patient.understanding.learned.train --data ../shared/data

The readings that it learns from are those of the rules of an older commit (before.py). `--measure` writes no model:
it prints fivefold cross-validated figures, dialogues kept together (CARD.md).
"""

import argparse
import sys
from pathlib import Path

from simulator.patient.bench_understand import OWN_LABELS
from simulator.patient.understanding.learned.before import RULES_BEFORE, run_with_rules_of
from simulator.patient.understanding.learned.examples import examples
from simulator.patient.understanding.learned.fit import fitted
from simulator.patient.understanding.learned.measure import measured
from simulator.patient.understanding.learned.model import MODEL, saved

_NAME = "simulator.patient.understanding.learned.train"
_TODAY = "HEAD"


def main() -> None:
    """Reads the labels and the shared data; writes model.npz beside this file, or prints what --measure found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of the shared data")
    parser.add_argument("--labels", type=Path, default=OWN_LABELS, help="labelled utterances")
    parser.add_argument("--to", type=Path, default=Path(str(MODEL)), help="the model's file")
    parser.add_argument("--rules-of", default=RULES_BEFORE, help="commit whose rules read; HEAD for those of today")
    parser.add_argument("--measure", action="store_true", help="cross-validate instead")
    arguments = parser.parse_args()
    data, labels, to = (path.resolve() for path in (arguments.data, arguments.labels, arguments.to))
    if arguments.rules_of != _TODAY:
        passed = ["--data", str(data), "--labels", str(labels), "--to", str(to), "--rules-of", _TODAY]
        passed += ["--measure"] if arguments.measure else []
        sys.exit(run_with_rules_of(arguments.rules_of, _NAME, passed))
    rows = examples(labels, data)
    if arguments.measure:
        print(measured(rows))
        return
    saved(fitted(rows), to)
    print(f"{len(rows)} utterances learned")


if __name__ == "__main__":
    main()
