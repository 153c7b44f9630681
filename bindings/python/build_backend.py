# SPDX-License-Identifier: MIT
"""Builds the wheel of `pip install .` (PEP 517) using only CMake, without a package index.

The folder is build/release, that of `./run` and `./test`, so that nothing is compiled twice. CMake, Ninja, a compiler,
pybind11 and Python's headers must be installed: `.ci/prepare` lists the packages of Debian.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "release"


def _project() -> dict:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return dict(re.findall(r'^(name|version|description|requires-python) = "(.*)"$', text, re.M))


def _metadata() -> str:
    project = _project()
    return (f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
            f"Summary: {project['description']}\nLicense: MIT\n"
            f"Requires-Python: {project['requires-python']}\nRequires-Dist: numpy\n")


def _info_name() -> str:
    project = _project()
    return f"{project['name']}-{project['version']}.dist-info"


def _wheel_form() -> str:
    return f"Wheel-Version: 1.0\nGenerator: ludens\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip wants to know first, without building anything; the name of the folder."""
    folder = pathlib.Path(metadata_directory) / _info_name()
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(_wheel_form(), encoding="utf-8")
    return folder.name


def _tag() -> str:
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{version}-{version}-{platform}"


def _build() -> pathlib.Path:
    # That of a virtual environment has no headers beside it; the module is the same.
    python = getattr(sys, "_base_executable", sys.executable)
    build = '. ./.ci/prepare && ludens_build_python "$0"'
    subprocess.run(["bash", "-euo", "pipefail", "-c", build, python], cwd=ROOT, check=True)
    return BUILD / "python"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The name of the wheel, which is written into the folder."""
    folder = _build()
    project = _project()
    info = _info_name()
    name = f"{project['name']}-{project['version']}-{_tag()}.whl"
    record = []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(path: str, data: bytes) -> None:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")
            wheel.writestr(path, data)

        for file in sorted((folder / "ludens").rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                add(str(file.relative_to(folder)), file.read_bytes())
        add(f"{info}/METADATA", _metadata().encode())
        add(f"{info}/WHEEL", _wheel_form().encode())
        record.append(f"{info}/RECORD,,")
        wheel.writestr(f"{info}/RECORD", "\n".join(record) + "\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Not offered: the package is built from a clone."""
    raise NotImplementedError("build a wheel from a clone: pip install PATH")
