import pytest

from scripts.write_schemas import FOLDER, schema_files


@pytest.mark.parametrize("name", schema_files())
def test_the_published_schema_is_the_one_the_code_makes(name: str) -> None:
    published = (FOLDER / name).read_text(encoding="utf-8")

    assert published == schema_files()[name], "run scripts/write_schemas.py and read the difference"
