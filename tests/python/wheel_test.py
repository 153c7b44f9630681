# SPDX-License-Identifier: MIT
"""The wheel of `pip install .`, made of the package that is tested here."""
import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import ludens

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bindings/python"))

import build_backend  # noqa: E402


class Wheel(unittest.TestCase):
    def test_is_whole_and_can_be_used(self):
        package = pathlib.Path(ludens.__file__).resolve().parent.parent
        build_backend._build = lambda: package
        with tempfile.TemporaryDirectory() as folder:
            name = build_backend.build_wheel(folder)
            self.assertTrue(name.startswith(f"ludens-{ludens.__version__}-cp"))
            site = pathlib.Path(folder) / "site"
            with zipfile.ZipFile(pathlib.Path(folder) / name) as wheel:
                wheel.extractall(site)
            told = pathlib.Path(folder) / build_backend.prepare_metadata_for_build_wheel(folder)
            for file in ("METADATA", "WHEEL"):
                self.assertEqual((told / file).read_text(), (site / told.name / file).read_text())
            record, = site.glob("*.dist-info/RECORD")
            listed = set()
            for line in record.read_text().splitlines():
                path, digest, _ = line.split(",")
                listed.add(path)
                if digest:
                    data = hashlib.sha256((site / path).read_bytes()).digest()
                    text = base64.urlsafe_b64encode(data).rstrip(b"=").decode()
                    self.assertEqual(digest, f"sha256={text}")
            there = {str(f.relative_to(site)) for f in site.rglob("*") if f.is_file()}
            self.assertEqual(listed, there)
            code = ("import ludens, sys; sys.exit(not ludens.__file__.startswith(sys.argv[1]) or "
                    "ludens.search(ludens.Game('nim').initial, seconds=0.1).move == '')")
            subprocess.run([sys.executable, "-c", code, str(site)], cwd=folder, check=True,
                           env={**os.environ, "PYTHONPATH": str(site)}, timeout=120)


if __name__ == "__main__":
    unittest.main()
