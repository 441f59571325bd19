"""The three engines on which every query must give the same."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from tests.conftest import missing

ENGINES = [
    pytest.param("duckdb"),
    pytest.param("sqlite"),
    pytest.param("postgresql", marks=pytest.mark.postgresql),
]


@pytest.fixture(params=ENGINES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database of each engine in turn."""
    if request.param != "postgresql":
        yield f"{request.param}:///{tmp_path / 'hospital.db'}"
        return
    yield from postgresql_schema()


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The URL of an empty schema on a real PostgreSQL server."""
    yield from postgresql_schema()


def postgresql_schema() -> Iterator[str]:
    """A schema of its own, dropped afterwards."""
    address = os.environ.get("POSTGRESQL_TEST_URL")
    if not address:
        missing("PostgreSQL", "export POSTGRESQL_TEST_URL=$(.ci/postgresql.sh start FOLDER)")
    assert address is not None
    schema = f"test_{uuid.uuid4().hex}"
    server = create_engine(address)
    with server.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    url = make_url(address).update_query_dict({"options": f"-csearch_path={schema}"})
    yield url.render_as_string(hide_password=False)
    with server.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    server.dispose()
