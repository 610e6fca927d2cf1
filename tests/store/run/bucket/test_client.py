"""A run in a bucket is the run that a folder would hold, to the last byte of its report."""

import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import duckdb
import pytest
from obstore.store import AzureStore, GCSStore

from steelyard.app.report import report_run
from steelyard.errors import InputError, StoreError, UserError
from steelyard.render.json import JsonRenderer
from steelyard.store.database import connect, sql_text
from steelyard.store.run.bucket.client import Bucket, split_address
from steelyard.store.run.bucket.files import BucketFile, BucketFiles
from steelyard.store.run.export import export_run
from steelyard.store.run.importing import import_files
from steelyard.store.run.location import location_of
from steelyard.store.run.query import query_run
from steelyard.store.run.run_store import RunStore, create_run, is_run, open_run
from tests.store.run.s3_server import SECRET, new_bucket, s3_server
from tests.store.run.small_run import MANIFEST, fill, generated, seen

PAGE = "SELECT * FROM samples WHERE case_id = 'case-1' ORDER BY model, attempt"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with s3_server() as address:
        yield address


@pytest.fixture
def bucket(server: str) -> str:
    return new_bucket(server)


@pytest.fixture(params=["folder", "bucket"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path) if request.param == "folder" else request.getfixturevalue("bucket")


def begun(address: str) -> RunStore:
    """Begin a run at an address, half of it generated and checked."""
    store = create_run(address, MANIFEST)
    fill(store, list(store.pending())[::2], chunk="first")
    return store


def report_bytes(address: str) -> str:
    return JsonRenderer().render(report_run(address))


def test_a_place_lists_reads_writes_and_removes(root: str) -> None:
    place = location_of(f"{root}/here")

    assert (place.names(), place.read("a")) == ([], None)
    place.write("a", b"1")
    place.child("b").write("c", b"2")
    place.write("a", b"3")
    assert (place.names(), place.read("a"), place.child("b").read("c")) == (["a", "b"], b"3", b"2")
    place.flush("a")
    place.remove("a", "never there")
    place.child("b").remove("c")
    assert place.read("a") is None


def test_a_run_begins_only_where_there_is_none(root: str) -> None:
    address = f"{root}/my runs/1"

    assert not is_run(address)
    create_run(address, MANIFEST)

    assert is_run(address)
    assert open_run(address).manifest == MANIFEST
    with pytest.raises(InputError, match="there is a run here already"):
        create_run(address, MANIFEST)


def test_a_replayed_chunk_changes_nothing(root: str) -> None:
    store = create_run(f"{root}/run", MANIFEST)
    samples = [generated(key) for key in list(store.pending())[:5]]

    first = store.add_samples(samples, chunk="one")
    again = store.add_samples(samples, chunk="one")
    after = open_run(f"{root}/run").hold().add_samples(samples, chunk="one")

    assert (first, again, after) == (True, False, False)
    assert sum(file.rows for file in open_run(f"{root}/run").samples.files()) == 5


def test_a_second_writer_is_noticed(root: str) -> None:
    one = begun(f"{root}/run")
    two = open_run(f"{root}/run").hold()
    left = [generated(key) for key in one.pending()]

    two.add_samples(left[:3], chunk="theirs")

    with pytest.raises(StoreError, match="process"):
        one.add_samples(left[3:], chunk="ours")


def test_what_is_left_to_do_is_found(root: str) -> None:
    store = begun(f"{root}/run")
    keys = list(store.pending())
    store.add_samples([generated(key) for key in keys[:4]], chunk="unchecked")

    found = open_run(f"{root}/run")

    assert list(found.pending()) == keys[4:]
    assert [sample.key for sample in found.unchecked()] == keys[:4]


def test_a_bucket_gives_the_report_pages_and_files_of_a_folder(bucket: str, tmp_path: Path) -> None:
    addresses = [str(tmp_path / "run"), f"{bucket}/run"]
    reports, pages, exports = set(), set(), set()

    for number, address in enumerate(addresses):
        store = begun(address)
        rest = [generated(key) for key in store.pending()]
        store.add_samples(rest, chunk="rest")
        store.add_outcomes([(sample, seen(sample)) for sample in rest], chunk="rest")
        for _ in ("before it is finished", "afterwards"):
            reports.add(report_bytes(address))
            pages.add(str(list(query_run(address, PAGE))))
            for name in ("rows.csv", "rows.jsonl"):
                export_run(address, tmp_path / str(number) / name, table="samples")
                exports.add((tmp_path / str(number) / name).read_bytes())
            store.finish()
        assert len(open_run(address).outcomes.files()) == 1

    assert (len(reports), len(pages), len(exports)) == (1, 1, 2)


def test_outcomes_from_files_are_imported_into_a_bucket(bucket: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("case,attempt,passed,cost_usd\na,0,true,0.1\na,1,false,0.2\nb,0,true,\n")

    import_files(path, f"{bucket}/run")
    import_files(path, tmp_path / "run")

    assert report_bytes(f"{bucket}/run") == report_bytes(str(tmp_path / "run"))


def test_each_thread_has_a_place_of_its_own_in_an_open_file() -> None:
    file = BucketFile(lambda _, start, end: b"0123456789"[start:end], "file", 10)

    file.seek(2)
    other = Thread(target=file.seek, args=(7,))
    other.start()
    other.join()

    assert (file.read(3), file.tell(), file.read(), file.read()) == (b"234", 5, b"56789", b"")


def test_many_threads_read_one_file_of_a_bucket_right(bucket: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    copied = "COPY (FROM range(100_000) t(i) SELECT i, hash(i) AS h) TO {} (ROW_GROUP_SIZE 2048)"
    duckdb.execute(copied.format(sql_text(str(path))))
    location_of(bucket).write("rows.parquet", path.read_bytes())
    asked = "FROM read_parquet([{}]) SELECT count(*), sum(i), bit_xor(h)"
    expected = duckdb.execute(asked.format(sql_text(str(path)))).fetchall()

    for _ in range(3):
        with connect(threads=8) as connection:
            connection.register_filesystem(BucketFiles(bucket))
            found = connection.execute(asked.format(sql_text(f"{bucket}/rows.parquet"))).fetchall()
        assert found == expected


def test_a_data_file_that_is_gone_is_named(bucket: str) -> None:
    store = begun(f"{bucket}/run")
    (file,) = store.outcomes.files()
    store.outcomes.location.remove(file.uri.rpartition("/")[2])

    with pytest.raises(StoreError, match=file.uri.rpartition("/")[2]):
        report_run(f"{bucket}/run")


def test_an_unreachable_store_is_told_in_one_line_without_secrets(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    place = location_of("s3://nobody-there/run")

    with pytest.raises(StoreError, match=r"s3://nobody-there/run/run\.json") as caught:
        place.read("run.json")

    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_bucket_that_does_not_exist_holds_nothing_and_takes_nothing(server: str) -> None:
    place = location_of("s3://never-made/run")

    assert place.read("run.json") is None
    with pytest.raises(StoreError, match=r"s3://never-made/run/run\.json.*written"):
        place.write("run.json", b"")
    with pytest.raises(StoreError, match=r"s3://never-made/run.*listed"):
        place.names()
    place.remove("run.json")


@pytest.mark.parametrize("address", ["s3://", "s3:///run", "s3://b/x?y", "s3://b/x#y", "s3://b/100%"])
def test_an_address_that_names_no_place_is_refused(address: str) -> None:
    with pytest.raises(UserError, match="expected s3://BUCKET/PATH"):
        split_address(address)


def test_a_client_that_cannot_be_made_is_a_fault_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ALLOW_HTTP", "perhaps")

    with pytest.raises(UserError, match=r"s3://never-opened.*opened"):
        Bucket("s3://never-opened/run")


def test_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "steelyard.store.run.bucket.client")
    monkeypatch.setitem(sys.modules, "obstore", None)

    with pytest.raises(UserError, match=r"'obstore'.*'\.\[cloud\]'"):
        location_of("s3://some-bucket/run")


@pytest.mark.parametrize(
    ("address", "client", "part"),
    [
        ("gs://evals/runs/1", "GCSStore", "bucket"),
        ("az://evals/runs/1", "AzureStore", "container_name"),
        ("abfss://evals@acme.dfs.core.windows.net/runs/1", "AzureStore", "container_name"),
    ],
)
def test_other_vendors_go_the_same_way(
    address: str, client: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_NAME", "acme")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", "c2VjcmV0")

    bucket = location_of(address)

    assert isinstance(bucket, Bucket)
    assert (bucket.address, bucket._key, type(bucket._store).__name__) == (address, "runs/1", client)
    assert isinstance(bucket._store, AzureStore | GCSStore)
    assert dict(bucket._store.config)[part] == "evals"
