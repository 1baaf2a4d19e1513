#!/usr/bin/env python3
"""Starts the command under mpirun: the same answer as alone, printed once, and no rank that waits
for one that failed.

    check_ranks.py --binary build/dev/bin/greenline --mpirun mpirun
"""
import argparse
import json
import os
import subprocess
import sys

# A test must end: far above what any of these takes.
LONGEST_S = 60

SEARCH = ["plan", "search", "llama3-8b", "--system", "dgx-h100", "--devices", "64",
          "--devices", "128", "--global-batch", "256", "--json"]
SPEEDS = ("configurations_per_s", "evaluated_rate_per_s", "search_s")


class Command:
    def __init__(self, binary, mpirun):
        self.binary, self.mpirun = binary, mpirun
        # As root in a container, on fewer cores than ranks, without leave to read other processes.
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                OMPI_MCA_rmaps_base_oversubscribe="1",
                                OMPI_MCA_btl_vader_single_copy_mechanism="none")

    def run(self, words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True,
                              timeout=LONGEST_S, check=False)

    def alone(self, arguments):
        return self.run([self.binary, *arguments])

    def ranks(self, size, arguments):
        return self.run([self.mpirun, "-np", str(size), self.binary, *arguments])

    def different(self, first, second):
        """Two ranks that were given different arguments."""
        return self.run([self.mpirun, "-np", "1", self.binary, *first, ":",
                         "-np", "1", self.binary, *second])


def result_of(run):
    # json.loads refuses a second document after the first: one rank has printed.
    result = json.loads(run.stdout)["result"]
    for key in SPEEDS:
        result.pop(key)
    return result


def expect(condition, what, run):
    if condition:
        return
    sys.exit(f"{what}\nexit {run.returncode}\n--- stdout\n{run.stdout[:2000]}\n"
             f"--- stderr\n{run.stderr[:2000]}")


def check_same_answer(command):
    alone = command.alone(SEARCH)
    expect(alone.returncode == 0, "a search alone", alone)
    for size in (1, 2, 3):
        shared = command.ranks(size, SEARCH)
        expect(shared.returncode == 0, f"a search on {size} ranks", shared)
        expect(result_of(shared) == result_of(alone), f"{size} ranks have another answer", shared)


def check_printed_once(command):
    estimate = ["plan", "estimate", "llama3-8b", "--on", "1xdgx-h100", "--strategy",
                "tp1,pp1,dp8,zero3", "--json"]
    run = command.ranks(2, estimate)
    expect(run.returncode == 0 and json.loads(run.stdout), "a verb that is not shared", run)
    version = command.ranks(2, ["--version"])
    expect(version.stdout.count("greenline") == 1, "--version", version)


def check_errors(command):
    wrong = [word.replace("llama3-8b", "llama3-8c") for word in SEARCH if word != "--json"]
    run = command.ranks(2, wrong)
    expect(run.returncode == 2, "an error of all ranks", run)
    expect(run.stderr.count("error: unknown model") == 1, "an error of all ranks, once", run)
    # One rank alone: the other is in the middle of its search, or has come to its end.
    for first, second in ((SEARCH, wrong), (wrong, SEARCH)):
        run = command.different(first, second)
        expect(run.returncode == 2, "an error of one rank", run)
        expect("unknown model \"llama3-8c\"" in run.stderr + run.stdout, "whose error it is", run)
    run = command.different(SEARCH, wrong)
    expect("rank 1: unknown model" in run.stderr + run.stdout, "rank 1 is named", run)


def check_death(command):
    run = command.run([command.mpirun, "-np", "1", command.binary, *SEARCH, ":",
                       "-np", "1", "false"])
    expect(run.returncode != 0, "a rank that dies", run)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--mpirun", default="mpirun")
    arguments = parser.parse_args()
    command = Command(arguments.binary, arguments.mpirun)
    for check in (check_same_answer, check_printed_once, check_errors, check_death):
        check(command)
        print(f"{check.__name__}: ok")


if __name__ == "__main__":
    main()
