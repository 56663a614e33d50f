# SPDX-License-Identifier: Apache-2.0
"""Results as our programs print them, small and made up."""

MACHINE = {"commit": "abc", "processor": "Some", "usable_cores": 2, "compiler": "gcc",
           "flags": "-O3", "kernel": "6"}

CURVE = [[4096 << i, 1.25 * 2 ** i] for i in range(10)]
MACHINE_FILE = {
    "version": 1, "machine": {"processor": "A <b>&\"'</script><script>alert(1)</script>",
                              "usable_cores": 2, "kernel": "6", "commit": "abc"},
    "quick": True, "seed": 1,
    "memory": {"reads_by_size": CURVE, "gathers_by_size": CURVE[:5],
               "by_stride": [{"bytes": 16384, "reads": CURVE, "writes": CURVE},
                             {"bytes": 65536, "reads": CURVE, "writes": CURVE}],
               "findings": [{"text": "A page has 4 KiB.", "system_says": "4 KiB", "agrees": True},
                            {"text": "L3: 9 MiB", "system_says": "32 MiB", "agrees": False}]},
    "near": {"drift": 1.5, "steady": False,
             "reads_by_stride": CURVE, "writes_by_stride": CURVE, "gets_by_group": [[1, 9], [2, 5]],
             "puts_by_group": [[1, 8], [16, 4]], "puts_by_stride": [[8, 1.5], [64, 2.75]],
             "round_trip_ns": 100.5, "bulk_reads": {"words": CURVE, "bulk": CURVE[:4]},
             "bulk_writes": {}},
    "far": {"gets_by_group": [[1, 900], [16, 50]], "puts_by_group": [[1, 800], [16, 40]],
            "puts_by_stride": [[8, 30], [64, 35]]},
    "pairs": [{"where": "the same L3 cache", "processors": [0, 2], "round_trip_ns": 100.5,
               "send_overhead_ns": 9, "receive_overhead_ns": 8, "latency_ns": 33.25, "gap_ns": 7,
               "byte_ns": 0.125, "drift": 1.1, "steady": True},
              {"where": "other node", "processors": [], "round_trip_ns": 20000}],
    "crowd": {"drift": 1.1, "steady": True, "barriers": [[4, 8000], [8, 16000]],
              "bytes": [[2, 0.25], [4, 0.5], [8, 0.75]]},
    "idle_network": {"without": {"round_trip_ns": 100, "gap_ns": 10, "poll_ns": 4},
                     "with": {"round_trip_ns": 120, "gap_ns": 10, "poll_ns": 8}}}


def record(name, value, limit=None, better="lower", unit="ns", repeats=41, spread=0.02, **machine):
    params = {"ranks": 2, "repeats": repeats, "spread": spread,
              "provenance": {**MACHINE, **machine}}
    if limit is not None:
        params["limit_spread"] = 0.02
    ratio = None if limit is None else value / limit
    return {"version": 1, "name": name, "value": value, "unit": unit, "better": better,
            "limit": limit, "ratio_to_limit": ratio, "params": params}
