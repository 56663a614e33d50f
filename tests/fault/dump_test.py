#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a core dump of a rank has of its segment.

    dump_test.py RAMJET PROGRAM [unittest arguments]
"""

import pathlib
import subprocess
import tempfile

from driver import PATIENCE_S, VICTIM, Case, command, is_sanitized, main

PROGRAM = VICTIM  # the driver's second argument
SEGMENT_BYTES = 256 << 20


class Dump(Case):
    def dump(self, **variables):
        pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text(encoding="ascii").strip()
        if pattern.startswith("|") or "/" in pattern or is_sanitized(PROGRAM):
            self.skipTest(f"core dumps go elsewhere: {pattern}")
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        words = [f"{name}={value}" for name, value in variables.items()]
        line = command("-n", 1, *(word for pair in words for word in ("--env", pair)), PROGRAM)
        result = subprocess.run(["sh", "-c", 'ulimit -c unlimited; exec "$@"', "sh", *line],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                cwd=folder, timeout=PATIENCE_S, check=False)
        self.assertEqual(result.returncode, 134, result.stderr)
        cores = list(folder.iterdir())
        if not cores:
            self.skipTest("the system has made no core dump")
        return cores[0].read_bytes()

    def test_touched_pages_of_the_segment(self):
        core = self.dump(RAMJET_DUMP="segment", RAMJET_SEGMENT_BYTES=SEGMENT_BYTES)
        self.assertTrue(b"in-the-segment-allocated\0" in core)
        self.assertTrue(b"in-the-segment-at-its-end\0" in core)
        self.assertLess(len(core), SEGMENT_BYTES // 2)

    def test_none_by_default(self):
        core = self.dump(RAMJET_SEGMENT_BYTES=SEGMENT_BYTES)
        self.assertFalse(b"in-the-segment-allocated\0" in core)
        self.assertFalse(b"in-the-segment-at-its-end\0" in core)


if __name__ == "__main__":
    main()
