"""A small copy of the repository in which a test plants a fault and runs one of scripts/check_*.py."""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


class PlantedTree(unittest.TestCase):
    """Each test starts with an empty tree at self.root, or with a copy of folders of ours."""

    script = ""
    copied = ()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in self.copied:
            shutil.copytree(REPOSITORY / name, self.root / name)

    def plant(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_script(self, *arguments):
        """(exit code, output) of the script on the tree."""
        done = subprocess.run([sys.executable, REPOSITORY / "scripts" / self.script, "--root", self.root,
                               *arguments], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def assert_accepted(self, *arguments):
        code, output = self.run_script(*arguments)
        self.assertEqual(code, 0, output)

    def assert_rejected(self, *fragments):
        code, output = self.run_script()
        self.assertEqual(code, 1, output)
        for fragment in fragments:
            self.assertIn(fragment, output)
