# SPDX-License-Identifier: Apache-2.0
"""The rules of wator for the whole sea at once, written from apps/wator/README.md."""

MASK = 2**64 - 1
WATER, FISH, SHARK = range(3)
STAYS = 4


def scrambled(x):
    x = ((x ^ (x >> 30)) * 0xbf58476d1ce4e5b9) & MASK
    x = ((x ^ (x >> 27)) * 0x94d049bb133111eb) & MASK
    return x ^ (x >> 31)


class Sea:
    def __init__(self, width, height, seed=1, fish=30, sharks=5, shoal=8, fish_breed=3,
                 shark_breed=10, starve=4):
        self.width, self.height, self.seed, self.shoal = width, height, seed, shoal
        self.breed = {FISH: fish_breed, SHARK: shark_breed}
        self.starve = starve
        self.half = 0
        self.cells = [self.first(place, fish, sharks) for place in range(width * height)]

    def chance(self, place, purpose, below):
        word = scrambled((self.seed + 1) & MASK)
        word = scrambled((word + self.half) & MASK)
        word = scrambled((word + place * 3 + purpose) & MASK)
        return (word >> 32) * below >> 32

    def first(self, place, fish, sharks):
        """(what, age, hunger)"""
        row, column = divmod(place, self.width)
        square = row // self.shoal * self.width + column // self.shoal
        if self.chance(place, 0, 100) < sharks:
            what = SHARK
        elif self.chance(square, 2, 100 - sharks) < fish:
            what = FISH
        else:
            return (WATER, 0, 0)
        return (what, self.chance(place, 1, self.breed[what]), 0)

    def beside(self, place):
        row, column = divmod(place, self.width)
        w, h = self.width, self.height
        return ((row - 1) % h * w + column, row * w + (column + 1) % w,
                (row + 1) % h * w + column, row * w + (column - 1) % w)

    def one_of(self, directions, place, purpose):
        if not directions:
            return STAYS
        return directions[self.chance(place, purpose, len(directions))]

    def wish(self, place, mover):
        if self.cells[place][0] != mover:
            return STAYS
        there = [self.cells[other][0] for other in self.beside(place)]
        prey = [d for d in range(4) if there[d] == FISH]
        free = [d for d in range(4) if there[d] == WATER]
        return self.one_of(prey if mover == SHARK and prey else free, place, 0)

    def move(self, mover):
        self.half += 1
        places = range(self.width * self.height)
        wishes = [self.wish(place, mover) for place in places]
        after = list(self.cells)
        for place in places:  # those that stay grow older
            if self.cells[place][0] == mover:
                after[place] = self.aged(place, ate=False, moved=False)
        for place in places:
            around = self.beside(place)
            guests = [d for d in range(4) if wishes[around[d]] == (d + 2) % 4]
            if not guests:
                continue
            origin = around[self.one_of(guests, place, 1)]
            ate = self.cells[place][0] == FISH
            after[place] = self.aged(origin, ate, moved=True)
            alive = after[place][0] != WATER
            gives_birth = alive and self.cells[origin][1] + 1 >= self.breed[mover]
            after[origin] = (mover, 0, 0) if gives_birth else (WATER, 0, 0)
        self.cells = after

    def aged(self, place, ate, moved):
        what, age, hunger = self.cells[place]
        hunger = 0 if ate or what == FISH else hunger + 1
        if what == SHARK and hunger >= self.starve:
            return (WATER, 0, 0)
        age = min(age + 1, self.breed[what])
        return (what, 0 if moved and age == self.breed[what] else age, hunger)

    def step(self):
        self.move(FISH)
        self.move(SHARK)

    def movers_by_rank(self, mover, ranks):
        ends = [self.height * rank // ranks * self.width for rank in range(ranks + 1)]
        return [sum(cell[0] == mover for cell in self.cells[begin:end])
                for begin, end in zip(ends, ends[1:])]

    def population(self, what):
        return sum(cell[0] == what for cell in self.cells)

    def checksum(self):
        total = sum(scrambled(place) * (what | age << 8 | hunger << 16)
                    for place, (what, age, hunger) in enumerate(self.cells))
        return f"{total & MASK:016x}"


def run(steps, ranks, shark_work, **shape):
    """The populations at first and after each step, the checksum at the end, and for each number
    of ranks what the busiest in each half step has computed."""
    sea = Sea(**shape)
    fish, sharks = [sea.population(FISH)], [sea.population(SHARK)]
    busiest = dict.fromkeys(ranks, 0)
    for _ in range(steps):
        for mover, work in ((FISH, 1), (SHARK, shark_work)):
            for count in ranks:
                busiest[count] += work * max(sea.movers_by_rank(mover, count))
            sea.move(mover)
        fish.append(sea.population(FISH))
        sharks.append(sea.population(SHARK))
    return fish, sharks, sea.checksum(), busiest
