"""Builds the wheel by PEP 517, with the standard library alone: no other package is fetched."""

from __future__ import annotations

import hashlib
import tomllib
from base64 import urlsafe_b64encode
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

FOLDER = Path(__file__).resolve().parent
PACKAGE = FOLDER / "src" / "plimsoll_client"
PROJECT = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]
NAME = f"{PROJECT['name'].replace('-', '_')}-{PROJECT['version']}"
# Zip files know no time before it; the same sources make the same bytes.
BUILT_AT = (1980, 1, 1, 0, 0, 0)

WHEEL = """Wheel-Version: 1.0
Generator: plimsoll
Root-Is-Purelib: true
Tag: py3-none-any
"""
METADATA = """Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: {description}
License: {license[text]}
Requires-Python: {requires-python}
Description-Content-Type: text/markdown

"""


def build_wheel(
    wheel_directory: str, config_settings: object = None, metadata_directory: object = None
) -> str:
    name = f"{NAME}-py3-none-any.whl"
    files = {f"plimsoll_client/{each.name}": each.read_bytes() for each in _sources()}
    files[f"{NAME}.dist-info/METADATA"] = _metadata()
    files[f"{NAME}.dist-info/WHEEL"] = WHEEL.encode()
    record = f"{NAME}.dist-info/RECORD"
    rows = [f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in files.items()]
    files[record] = "".join([*rows, f"{record},,\n"]).encode()
    with ZipFile(Path(wheel_directory) / name, "w", ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(ZipInfo(path, BUILT_AT), data, ZIP_DEFLATED)
    return name


def _sources() -> list[Path]:
    if not (PACKAGE / "schema.py").exists():
        raise FileNotFoundError("No schema.py: run `npm run generate` in Plimsoll's folder first")
    return sorted(each for each in PACKAGE.iterdir() if each.suffix in (".py", ".typed"))


def _metadata() -> bytes:
    return (METADATA.format(**PROJECT) + (FOLDER / "README.md").read_text()).encode()


def _digest(data: bytes) -> str:
    return urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
