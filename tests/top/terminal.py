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
    r"\x1b(?:\[([?>=]?)([0-9;]*)([@-~])|[()][0-9A-Za-z]|([=>78MDE])|\][^\x07]*\x07)")


class Terminal:
    def __init__(self, command, rows=30, columns=150, **variables):
        self.rows, self.columns = rows, columns
        self.lines = self._blank()
        self.row = self.column = 0
        self.saved = (0, 0)
        self.top, self.bottom = 0, rows  # the lines that scroll: [top, bottom)
        self.last = " "  # what was put last
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
        self.top, self.bottom = 0, rows
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if say:
            os.kill(self.pid, signal.SIGWINCH)

    def type(self, keys):
        os.write(self.descriptor, keys.encode())

    def screen(self):
        return "\n".join("".join(line).rstrip() for line in self.lines)

    def until(self, pattern):
        """Waits until the screen shows it."""
        end = time.monotonic() + PATIENCE_S
        while not (found := re.search(pattern, self.screen(), re.MULTILINE)):
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
            elif found[4]:
                self._escape(found[4])
            at = found.end()
        self.text = self.text[at:]

    def _put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self._down()
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character == "\t":
            self.column = min((self.column // 8 + 1) * 8, self.columns - 1)
        elif character >= " ":
            if self.column >= self.columns:  # only what follows wraps
                self.column = 0
                self._down()
            self.lines[self.row][self.column] = character
            self.last = character
            self.column += 1

    def _down(self):
        if self.row == self.bottom - 1:
            self._scroll(self.top, 1)
        else:
            self.row = min(self.row + 1, self.rows - 1)

    def _up(self):
        if self.row == self.top:
            self._scroll(self.top, -1)
        else:
            self.row = max(0, self.row - 1)

    def _scroll(self, first, count):
        """Moves the lines from the first to the end of those that scroll up; down if below 0."""
        for _ in range(min(abs(count), self.bottom - first)):
            blank = [" "] * self.columns
            if count > 0:
                self.lines[first:self.bottom] = [*self.lines[first + 1:self.bottom], blank]
            else:
                self.lines[first:self.bottom] = [blank, *self.lines[first:self.bottom - 1]]

    def _escape(self, letter):
        if letter == "7":
            self.saved = (self.row, self.column)
        elif letter == "8":
            self.row, self.column = min(self.saved[0], self.rows - 1), self.saved[1]
        elif letter == "M":
            self._up()
        elif letter in "DE":
            self._down()
            self.column = 0 if letter == "E" else self.column

    def _control(self, mark, numbers, letter):
        if mark or letter in "mhlctn":  # colours, modes
            return
        first = numbers[0]
        second = numbers[1] if len(numbers) > 1 else 0
        count = max(1, first)
        if letter in "HfdG`ABCDZ":
            self._move(letter, count, max(1, second))
        elif letter in "JK":
            self._erase(letter, first)
        elif letter in "XP@":
            self._change_line(letter, count)
        elif letter == "b":
            for _ in range(count):
                self._put(self.last)
        elif letter == "r":
            self.top, self.bottom = count - 1, min(second or self.rows, self.rows)
            self.row = self.column = 0
        elif letter in "ST":
            self._scroll(self.top, count if letter == "S" else -count)
        elif letter in "LM":
            if self.top <= self.row < self.bottom:
                self._scroll(self.row, count if letter == "M" else -count)
        else:
            raise AssertionError(f"unknown sequence: {letter} {numbers}")

    def _move(self, letter, count, second):
        row, column = self.row, min(self.column, self.columns - 1)
        self.row, self.column = {
            "H": (count - 1, second - 1), "f": (count - 1, second - 1), "d": (count - 1, column),
            "G": (row, count - 1), "`": (row, count - 1),
            "A": (row - count, column), "B": (row + count, column),
            "C": (row, column + count), "D": (row, column - count),
            "Z": (row, max(0, (column + 7) // 8 - count) * 8)}[letter]
        self.row = min(max(0, self.row), self.rows - 1)
        self.column = min(max(0, self.column), self.columns - 1)

    def _change_line(self, letter, count):
        """Blanks characters, deletes them, or puts blanks before them."""
        line, blanks = self.lines[self.row], [" "] * count
        if letter == "@":
            line[self.column:self.column] = blanks
        else:
            line[self.column:self.column + count] = blanks if letter == "X" else []
        self.lines[self.row] = (line + [" "] * count)[:self.columns]

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
