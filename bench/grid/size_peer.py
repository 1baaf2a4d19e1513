#!/usr/bin/env python3
"""Solves a linear program in free MPS with SciPy's HiGHS (dual simplex) and prints one line of JSON.

    size_peer.py MODEL.mps

The time is that of linprog alone, processor seconds, without reading the file.
"""
import json
import sys
import time

import numpy as np
import scipy
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, vstack


def read_mps(path):
    """Cost, matrix, row bounds and column bounds of the free MPS that Greenline writes."""
    kinds, rows, columns = [], {}, {}
    cost, places, values, rhs, ranges, bounds = {}, ([], []), [], {}, {}, {}
    section = objective = None
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if line[0] != " ":
                section = words[0]
            elif section == "ROWS":
                if words[0] == "N" and objective is None:
                    objective = words[1]
                else:
                    rows[words[1]] = len(rows)
                    kinds.append(words[0])
            elif section == "COLUMNS":
                column = columns.setdefault(words[0], len(columns))
                if words[1] == objective:
                    cost[column] = float(words[2])
                else:
                    places[0].append(rows[words[1]])
                    places[1].append(column)
                    values.append(float(words[2]))
            elif section == "RHS":
                rhs[rows[words[1]]] = float(words[2])
            elif section == "RANGES":
                ranges[rows[words[1]]] = float(words[2])
            elif section == "BOUNDS":
                pair = bounds.setdefault(columns[words[2]], [0.0, np.inf])
                value = float(words[3]) if len(words) > 3 else np.inf
                low, high = {"FX": (value, value), "FR": (-np.inf, np.inf), "MI": (-np.inf, pair[1]),
                             "LO": (value, pair[1]), "UP": (pair[0], value)}[words[0]]
                pair[:] = low, high
    matrix = coo_matrix((values, places), shape=(len(rows), len(columns))).tocsr()
    right = np.array([rhs.get(i, 0.0) for i in range(len(rows))])
    width = np.array([ranges.get(i, np.inf) for i in range(len(rows))])
    kind = np.array(kinds)
    lower = np.where(kind == "N", -np.inf, np.where(kind == "L", -np.inf, right))
    upper = np.where(kind == "N", np.inf, np.where(kind == "G", right + width, right))
    costs = np.array([cost.get(j, 0.0) for j in range(len(columns))])
    return costs, matrix, lower, upper, [tuple(bounds.get(j, (0, None))) for j in range(len(columns))]


def main():
    cost, matrix, lower, upper, bounds = read_mps(sys.argv[1])
    equal = lower == upper
    above, below = np.isfinite(lower) & ~equal, np.isfinite(upper) & ~equal
    less = vstack([matrix[below], -matrix[above]]).tocsr()
    most = np.concatenate([upper[below], -lower[above]])
    start = time.process_time()
    result = linprog(cost, less, most, matrix[equal], lower[equal], bounds, method="highs-ds")
    seconds = time.process_time() - start
    print(json.dumps({"objective": result.fun, "seconds": seconds, "iterations": int(result.nit),
                      "scipy": scipy.__version__}))


if __name__ == "__main__":
    main()
