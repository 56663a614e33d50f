# SPDX-License-Identifier: Apache-2.0
"""A terminal for tests: runs a program on a pseudo-terminal and keeps its screen, as far as ncurses
draws for TERM=xterm.
"""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

PATIENCE_S = 300
SEQUENCE = re.compile(
    r"\x1b(?:\[([?>=]?)([0-9;]*)([@-~])|[()][0-9A-Za-z]|[=>78MDEc]|\][^\x07]*\x07)")


class Terminal:
    def __init__(self, command, rows=30, columns=150, **variables):
        self.rows, self.columns = rows, columns
        self.lines = self._blank()
        self.row = self.column = 0
        self.text, self.status = "", None
        self.raw = ""  # all of it, for messages of failures
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm", **variables})
            os.environ.pop("LINES", None)
            os.environ.pop("COLUMNS", None)
            time.sleep(0.05)  # the size is set meanwhile
            os.execvp(command[0], command)
        self.resize(rows, columns, say=False)

    def _blank(self):
        return [[" "] * self.columns for _ in range(self.rows)]

    def resize(self, rows, columns, say=True):
        self.rows, self.columns = rows, columns
        self.lines = self._blank()
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if say:
            os.kill(self.pid, signal.SIGWINCH)

    def type(self, keys):
        os.write(self.descriptor, keys.encode())

    def screen(self):
        return "\n".join("".join(line).rstrip() for line in self.lines)

    def until(self, pattern):
        """Waits until the screen shows it. It is asked for anew (control-L) as it takes longer:
        this terminal does not know all ways in which lines are moved."""
        end = time.monotonic() + PATIENCE_S
        again = time.monotonic() + 0.5
        while not (found := re.search(pattern, self.screen(), re.MULTILINE)):
            if time.monotonic() > again:
                self.type("\x0c")
                again = time.monotonic() + 2
            if not self._read(end):
                raise AssertionError(f"waited in vain for {pattern!r}:\n{self.screen()}")
        return found

    def until_written(self, pattern):
        """Waits until it has been written, on whatever screen."""
        end = time.monotonic() + PATIENCE_S
        while not (found := re.search(pattern, self.raw)):
            if not self._read(end):
                raise AssertionError(f"waited in vain for {pattern!r}; it wrote:\n{self.raw!r}")
        return found

    def leave(self):
        """Waits for the program's end; its exit status."""
        end = time.monotonic() + PATIENCE_S
        while self._read(end):
            pass
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self.descriptor)
        return self.status

    def kill(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self.leave()

    def _read(self, end):
        """False: the program has closed the terminal, or it is too late."""
        if not select.select([self.descriptor], [], [], max(0, end - time.monotonic()))[0]:
            return False
        try:
            part = os.read(self.descriptor, 1 << 16)
        except OSError:  # so Linux says that nobody has it open any more
            return False
        text = self.decoder.decode(part)
        self.raw += text
        self.text += text
        self._draw()
        return bool(part)

    def _draw(self):
        at = 0
        while at < len(self.text):
            if self.text[at] != "\x1b":
                self._put(self.text[at])
                at += 1
                continue
            found = SEQUENCE.match(self.text, at)
            if not found:
                if len(self.text) - at > 64:
                    raise AssertionError(f"unknown sequence: {self.text[at:at + 16]!r}")
                break  # the rest of it is still to come
            if found[3]:
                numbers = [int(n) if n else 0 for n in found[2].split(";")]
                self._control(found[1], numbers, found[3])
            at = found.end()
        self.text = self.text[at:]

    def _put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            if self.row == self.rows - 1:
                self.lines = self.lines[1:] + [[" "] * self.columns]
            self.row = min(self.row + 1, self.rows - 1)
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character == "\t":
            self.column = min((self.column // 8 + 1) * 8, self.columns - 1)
        elif character >= " ":
            if self.row < self.rows and self.column < self.columns:
                self.lines[self.row][self.column] = character
            self.last = character
            self.column += 1

    def _control(self, mark, numbers, letter):
        first = numbers[0]
        count = max(1, first)
        if mark or letter in "mrhlctn":  # colours, modes
            return
        if letter in "Hf":
            self.row = min(count, self.rows) - 1
            self.column = min(max(1, numbers[1] if len(numbers) > 1 else 1), self.columns) - 1
        elif letter == "d":
            self.row = min(count, self.rows) - 1
        elif letter in "G`":
            self.column = count - 1
        elif letter in "ABCD":
            down, right = {"A": (-1, 0), "B": (1, 0), "C": (0, 1), "D": (0, -1)}[letter]
            self.row = min(max(0, self.row + down * count), self.rows - 1)
            self.column = min(max(0, self.column + right * count), self.columns - 1)
        elif letter in "JK":
            self._erase(letter, first)
        elif letter == "X":
            line = self.lines[self.row]
            end = min(self.column + count, len(line))
            line[self.column:end] = [" "] * (end - self.column)
        elif letter == "b":
            for _ in range(count):
                self._put(self.last)
        elif letter == "P":
            line = self.lines[self.row]
            del line[self.column:self.column + count]
            line += [" "] * (self.columns - len(line))
        elif letter == "@":
            line = self.lines[self.row]
            line[self.column:self.column] = [" "] * count
            del line[self.columns:]
        elif letter in "LM":
            for _ in range(count):
                if letter == "L":
                    self.lines.insert(self.row, [" "] * self.columns)
                    self.lines.pop()
                else:
                    self.lines.pop(self.row)
                    self.lines.append([" "] * self.columns)
        else:
            raise AssertionError(f"unknown sequence: {letter} {numbers}")

    def _erase(self, letter, how):
        before, after = self.row, self.row + 1
        line = self.lines[self.row]
        if how in (0, 2):
            line[self.column if how == 0 else 0:] = [" "] * (
                len(line) - (self.column if how == 0 else 0))
        if how == 1:
            line[:self.column + 1] = [" "] * len(line[:self.column + 1])
        if letter == "J":
            for row in range(self.rows):
                if (how != 1 and row >= after) or (how != 0 and row < before):
                    self.lines[row] = [" "] * self.columns
