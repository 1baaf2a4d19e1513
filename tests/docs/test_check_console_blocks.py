#!/usr/bin/env python3
"""The checker of console blocks accepts true pages and rejects false ones."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("check_console_blocks.py")


def check(page, *flags):
    """(exit code, output) of the checker on one page; its binary prints its own arguments. With
    flags, the page as the checker left it instead of the output."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        binary = root / "bin" / "greenline"
        binary.parent.mkdir()
        binary.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', encoding="utf-8")
        binary.chmod(0o755)
        (root / "README.md").write_text(page, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, "--binary", binary, "--root", root, *flags],
                              capture_output=True, text=True, check=False)
        left = (root / "README.md").read_text(encoding="utf-8")
        return done.returncode, left if flags else done.stdout


def block(*lines):
    return "\n".join(["```console", *lines, "```", ""])


class ConsoleBlocks(unittest.TestCase):
    def test_accepts_what_is_printed(self):
        self.assertEqual(check(block("$ greenline one two", "one", "two"))[0], 0)

    def test_ellipsis_stands_for_text_and_for_lines(self):
        page = block("$ greenline first 'took 12 s' middle last", "first", "took … s", "…", "last")
        self.assertEqual(check(page)[0], 0)

    def test_rejects_another_text_and_names_its_line(self):
        code, output = check(block("$ greenline one", "three"))
        self.assertEqual(code, 1)
        self.assertIn("README.md:3", output)

    def test_rejects_another_order(self):
        self.assertEqual(check(block("$ greenline one two", "two", "one"))[0], 1)

    def test_an_ellipsis_does_not_match_the_rest_of_the_line(self):
        self.assertEqual(check(block("$ greenline 'a 1 b'", "a … c"))[0], 1)

    def test_exit_codes(self):
        self.assertEqual(check(block("$ false"))[0], 1)
        self.assertEqual(check(block("$ exit 2  # exit 2"))[0], 0)
        self.assertEqual(check(block("$ true  # exit 2"))[0], 1)

    def test_pages_share_a_folder_and_commands_may_continue(self):
        page = block("$ greenline a \\", "> b > out.txt", "$ cat out.txt", "a", "b")
        self.assertEqual(check(page)[0], 0)

    def test_other_blocks_and_the_run_script_are_left_alone(self):
        page = "```text\n$ false\n```\n" + block("$ ./run demo", "$ greenline x", "x")
        code, output = check(page)
        self.assertEqual(code, 0, output)
        self.assertIn("1 commands", output)

    def test_write_follows_the_output_by_label(self):
        command = "$ greenline 'time  9 s' 'energy  5 kWh' other"
        before = block(command, "gone  1", "  time  7 s", "…", "energy  … kWh", "other")
        after = block(command, "gone  1", "time  9 s", "…", "energy  … kWh", "other")
        self.assertEqual(check(before, "--write"), (0, after))

    def test_a_page_without_commands_is_no_proof(self):
        self.assertEqual(check("# Nothing here\n")[0], 1)


if __name__ == "__main__":
    unittest.main()
