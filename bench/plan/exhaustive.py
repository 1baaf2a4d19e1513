#!/usr/bin/env python3
"""Every strategy of a dense transformer, one after the other, in plain Python: how fast is that?

The equations are those of docs/methods/plan.md, simplified: equal stages, one ring for every
collective, an exchange hides behind a whole pass or not at all. Nothing is remembered from one
configuration to the next and nothing is left out, as in the tools that people use for this. It
stops after a number of seconds and prints one line of JSON.

    exhaustive.py --seconds 5
"""
import argparse
import json
import math
import time

# Llama 3 70B on DGX H100 in bf16, with the constants of data/efficiency.csv.
LAYERS, HIDDEN, HEADS, KV_HEADS, FFN, VOCABULARY, SEQUENCE = 80, 8192, 64, 8, 28672, 128256, 8192
PEAK, MEMORY_BANDWIDTH, MEMORY = 989.4e12, 3.35e12, 0.95 * 80e9
MATMUL, HALF_SIZE, ATTENTION, STREAM, OVERHEAD = 0.53, 128.0, 0.27, 0.85, 5e-6
PER_NODE = 8
INTRA, INTRA_LATENCY = 0.80 * 450e9, 5e-6
INTER, INTER_LATENCY = 0.75 * 50e9, 12e-6


def product(m, n, k):
    share = MATMUL / (1 + HALF_SIZE * (1 / m + 1 / n + 1 / k))
    return OVERHEAD + max(2 * m * n * k / (share * PEAK),
                          2 * (m * k + k * n + m * n) / (STREAM * MEMORY_BANDWIDTH))


def stream(size):
    return OVERHEAD + size / (STREAM * MEMORY_BANDWIDTH)


def ring(ranks, inside, size):
    """An all-gather or a reduce-scatter of `size` bytes over `ranks`, `inside` of them in a node."""
    if ranks == 1:
        return 0.0
    if ranks <= inside:
        return (ranks - 1) * (INTRA_LATENCY + size / ranks / INTRA)
    nodes = ranks // inside
    return ((inside - 1) * (INTRA_LATENCY + size / inside / INTRA) +
            (nodes - 1) * (INTER_LATENCY + size / inside / nodes / INTER))


def layer_times(tp, micro_batch, sequence_parallel):
    """Forward, backward and what selective recomputation repeats, of one layer."""
    tokens = micro_batch * SEQUENCE
    split = tokens / tp if sequence_parallel else tokens
    kv = HIDDEN // HEADS * KV_HEADS / tp
    forward = repeated = 0.0
    backward = 0.0
    for m, n, k, again in ((tokens, HIDDEN / tp + 2 * kv, HIDDEN, 0.1),
                           (tokens, HIDDEN, HIDDEN / tp, 1.0),
                           (tokens, 2 * FFN / tp, HIDDEN, 0.5),
                           (tokens, HIDDEN, FFN / tp, 0.0)):
        once = product(m, n, k)
        forward += once
        repeated += again * once
        backward += product(m, k, n) + product(k, n, m)
    for size, again in ((4 * split * HIDDEN, 1), (4 * tokens * (HIDDEN / tp + kv), 0),
                        (6 * split * HIDDEN, 0), (4 * split * HIDDEN, 1),
                        (6 * tokens * FFN / tp, 1), (6 * split * HIDDEN, 0)):
        once = stream(size)
        forward += once
        repeated += again * once
        backward += stream(1.5 * size)
    scores = 2 * micro_batch * SEQUENCE ** 2 * HIDDEN / tp
    forward += OVERHEAD + scores / (ATTENTION * PEAK)
    backward += OVERHEAD + 2.5 * scores / (ATTENTION * PEAK)
    return forward, backward, repeated


def memory_of(c):
    layers = math.ceil(LAYERS / c["pp"])
    matrices = 2 * HIDDEN ** 2 * (1 + KV_HEADS / HEADS) + 3 * HIDDEN * FFN
    parameters = layers * matrices / c["tp"] + VOCABULARY * HIDDEN / c["tp"]
    share = [1 if c["zero"] < stage else c["dp"] for stage in (3, 2, 1)]
    states = parameters * (2 / share[0] + 4 / share[1] + 12 / share[2])
    tokens = c["micro_batch"] * SEQUENCE
    outside = 1 / c["tp"] if c["sp"] else 1
    kept = {"none": 2 * tokens * (HIDDEN * (6 * outside + 4 / c["tp"]) + 4 * FFN / c["tp"]),
            "selective": 2 * tokens * (HIDDEN * (2 * outside + 2 / c["tp"]) + 2 * FFN / c["tp"]),
            "full": 2 * tokens * HIDDEN * outside}[c["recompute"]]
    batches = c["batches"]
    chunks = min(batches * c["v"], c["pp"] if c["v"] == 1 else (c["v"] + 1) * c["pp"] - 1)
    activations = kept * layers * chunks / c["v"]
    gathered = 2 * 2 * matrices / c["tp"] if c["zero"] == 3 else 0
    return states + activations + gathered + 6 * tokens * VOCABULARY / c["tp"]


def time_of(c):
    tp, pp, dp = c["tp"], c["pp"], c["dp"]
    layers = math.ceil(LAYERS / pp)
    forward, backward, repeated = layer_times(tp, c["micro_batch"], c["sp"])
    size = 2 * c["micro_batch"] * SEQUENCE * HIDDEN
    exchange = 2 * ring(tp, min(tp, PER_NODE), size)
    again = {"none": 0.0, "selective": repeated, "full": forward + 2 * exchange}[c["recompute"]]
    stage = layers * (forward + backward + again + 4 * exchange)
    tokens = c["micro_batch"] * SEQUENCE
    head = product(tokens, VOCABULARY / tp, HIDDEN)
    stage += 3 * head / pp
    send = 2 * c["v"] * (INTER_LATENCY + size / tp / INTER) if pp > 1 else 0.0
    inside = max(1, min(dp, PER_NODE // tp))
    matrices = 2 * HIDDEN ** 2 * (1 + KV_HEADS / HEADS) + 3 * HIDDEN * FFN
    parameters = layers * matrices / tp + VOCABULARY * HIDDEN / tp / pp
    each = once = 0.0
    if dp > 1 and c["zero"] == 3:
        gather = ring(dp, inside, 2 * matrices / tp)
        scatter = ring(dp, inside, 4 * matrices / tp)
        each = layers * (max(0.0, gather - forward) + max(0.0, gather + scatter - backward - again))
        once = gather + scatter
    elif dp > 1:
        reduce = ring(dp, inside, 4 * parameters) * (2 if c["zero"] == 0 else 1)
        once = max(reduce / layers, reduce - layers * backward)
        if c["zero"] > 0:
            once += ring(dp, inside, 2 * parameters) / layers
    busy = stage + send + each
    owned = parameters / (dp if c["zero"] else 1)
    optimizer = stream(38 * owned)
    return c["batches"] * busy + (pp - 1) * busy / c["v"] + once + optimizer


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


def configurations(devices, batch):
    for tp in divisors(PER_NODE):
        for pp in divisors(devices // tp):
            dp = devices // tp // pp
            if pp > LAYERS or batch % dp:
                continue
            for micro_batch in divisors(batch // dp):
                for sp in ((True, False) if tp > 1 else (False,)):
                    for zero in range(4 if dp > 1 else 1):
                        for recompute in ("none", "selective", "full"):
                            chunks = divisors(LAYERS // pp) if pp > 1 and LAYERS % pp == 0 else [1]
                            for v in chunks:
                                batches = batch // dp // micro_batch
                                if v > 1 and batches % pp:
                                    continue
                                yield {"tp": tp, "pp": pp, "dp": dp, "micro_batch": micro_batch,
                                       "sp": sp, "zero": zero, "recompute": recompute, "v": v,
                                       "batches": batches}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--devices", type=int, default=1024)
    parser.add_argument("--global-batch", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=5.0)
    arguments = parser.parse_args()
    start = time.perf_counter()
    tried, best, best_time = 0, None, math.inf
    while time.perf_counter() - start < arguments.seconds:
        for c in configurations(arguments.devices, arguments.global_batch):
            tried += 1
            takes = time_of(c)
            if memory_of(c) <= MEMORY and takes < best_time:
                best, best_time = c, takes
            if tried % 256 == 0 and time.perf_counter() - start >= arguments.seconds:
                break
    seconds = time.perf_counter() - start
    print(json.dumps({"configurations": tried, "seconds": seconds,
                      "configurations_per_s": tried / seconds, "best": best,
                      "best_s": best_time}))


if __name__ == "__main__":
    main()
