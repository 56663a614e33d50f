#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hang reports come of waits that look at other ranks' memory, on one node and on several.

    far_waits_test.py RAMJET FAR_WAITS [unittest arguments]
"""

import signal
import threading

from driver import VICTIM, Case, main, start

LIMIT_S = 120  # for a report that is due after EXPLAIN_S


class FarWaits(Case):
    def report_of(self, hang, nodes):
        """What is told of a job of four ranks until its report is complete."""
        job = start("-n", 4, "--nodes", nodes, "--explain-after", 1, VICTIM, hang)
        late = threading.Timer(LIMIT_S, job.terminate)
        late.start()
        text = ""
        for line in job.stderr:
            text += line
            if "likely: " in line:
                break
        late.cancel()
        job.send_signal(signal.SIGTERM)
        job.communicate(timeout=LIMIT_S)
        self.assertIn("likely: ", text)
        return text

    def test_the_holder_of_a_lock_is_named(self):
        for nodes in (1, 2, 4):
            with self.subTest(nodes=nodes):
                text = self.report_of("lock", nodes)
                for rank in (0, 1, 3):
                    self.assertRegex(text, rf"(?m)^  {rank} .*waits in lock +rank 2 ")
                self.assertRegex(text, r"likely: rank 2 holds a lock that ranks 0, 1 and 3 wait for"
                                       r".*long work")

    def test_queues(self):
        for hang, call in (("queue", "next"), ("full_queue", "push")):
            for nodes in (1, 4):
                with self.subTest(hang=hang, nodes=nodes):
                    text = self.report_of(hang, nodes)
                    for rank in (0, 1, 3):
                        self.assertRegex(text, rf"(?m)^  {rank} .*waits in work_queue::{call} ")

    def test_waits_that_time_out_are_no_progress(self):
        for nodes in (1, 2):
            with self.subTest(nodes=nodes):
                self.assertRegex(self.report_of("short_waits", nodes), r"waits in barrier")


if __name__ == "__main__":
    main()
