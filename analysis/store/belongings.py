"""What belongs to a result file, and goes where it goes: its processes' lines, and its provenance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jitcost.files import replacing
from jitcost.store import finding, records
from jitcost.store.finding import ENDINGS, LINES, PROVENANCE
from jitcost.store.json_files import COMPRESSED, compressed, read_bytes

__all__ = ["belongings", "copy_provenance", "of_no_result"]


def belongings(result_file: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file that belongs to a result file, as it is read now, and the ending of its copies."""
    for file, ending in (
        (records.beside(result_file), LINES),
        (finding.beside(result_file, PROVENANCE), PROVENANCE),
    ):
        if file.is_file():
            yield file, f"{ending}{COMPRESSED}" if file.suffix == COMPRESSED else ending


def of_no_result(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that belong to result files which are not there."""
    for path in sorted(folder.iterdir()):
        name = finding.owner(path)
        # The file system is asked: it may take two spellings of a name for one.
        if name is not None and not any((folder / f"{name}{end}").is_file() for end in ENDINGS):
            yield path


def copy_provenance(result_file: Path, target: Path) -> bool:
    """Copy a result file's provenance to where that of another belongs; tell whether there is any."""
    provenance = finding.beside(result_file, PROVENANCE)
    if not provenance.is_file():
        return False
    place = finding.plain(target, PROVENANCE)
    with replacing(place) as fresh:
        fresh.write_bytes(read_bytes(provenance))
    compressed(place).unlink(missing_ok=True)
    return True
