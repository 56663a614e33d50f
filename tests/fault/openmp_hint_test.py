#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The hint that ranks outnumber cores and OpenMP starts several threads in each.

    openmp_hint_test.py RAMJET PROGRAM [unittest arguments]
"""

import os

from driver import VICTIM, Case, main, run

PROGRAM = VICTIM  # the driver's second argument


class Hint(Case):
    def setUp(self):
        super().setUp()
        before = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, before)
        os.sched_setaffinity(0, {min(before)})
        os.environ.pop("OMP_NUM_THREADS", None)

    def test_more_ranks_than_cores(self):
        result = run("-n", 2, PROGRAM)
        self.assertEqual(result.returncode, 0)
        self.assert_one_line(result.stderr, "rank 0: 2 ranks share 1 core of this machine, and "
                                            "OpenMP gives each of them 4 threads: set OMP_NUM_")

    def test_not_where_it_is_said_or_cores_are_enough(self):
        self.assertEqual(run("-n", 2, "--env", "OMP_NUM_THREADS=4", PROGRAM).stderr, "")
        self.assertEqual(run("-n", 1, PROGRAM).stderr, "")


if __name__ == "__main__":
    main()
