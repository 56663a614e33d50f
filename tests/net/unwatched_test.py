#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A rank that cannot watch a descriptor says so and ends; nobody waits for it.

    unwatched_test.py RAMJET TRAFFIC FAILING_EPOLL [unittest arguments]
"""

import os
import sys
import unittest

from network_job import SLACK_S, TRAFFIC, NetworkCase

FAILING_EPOLL = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else ""
AFTER_MAX = 16  # more than the calls of a rank of this job


class Unwatched(NetworkCase):
    def test_each_call(self):
        failed = 0
        for after in range(AFTER_MAX):
            with self.subTest(after=after):
                job = self.start("-n", 4, "--nodes", 2, "--timeout", 40, "--env",
                                 f"LD_PRELOAD={FAILING_EPOLL}", "--env", "FAIL_RANK=1", "--env",
                                 f"FAIL_AFTER={after}", TRAFFIC, "check", 20, timeout_s=30)
                job.end(40 + SLACK_S)
                said = job.out + job.err
                self.assertNotEqual(job.process.returncode, 124, said)
                if job.process.returncode == 0:
                    continue
                failed += 1
                self.assertIn("(epoll_ctl): No space left on device; raise "
                              "fs.epoll.max_user_watches (sysctl)", said)
        self.assertGreaterEqual(failed, 6, "the calls were not made")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
