"""The study of six systems in C: the same work as the lab's, written out as tightly as C lets us.

The same doubles come in, and out come the last ratings of all six systems and the disorder of each after every 100th
game. Every operation stands in the order in which the club's own systems do it, without fused multiply-adds, so the
results are equal to the last bit, and a test says so. What is not done: newcomers, other settings than the study's.
"""

import ctypes
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple

SYSTEMS = 6
SOURCE = r"""
#include <math.h>
#include <string.h>
#define MOST 512
enum { LEAGUE, SOLO_ZERG, R2, KD, ELO, GLICKO, SYSTEMS };
static const double STARTS[SYSTEMS] = {750.0, 1000.0, 1000.0, 15.0, 1000.0, 1000.0};
static double rating[SYSTEMS][MOST], coefficient[MOST], deviation[MOST];
static int order[SYSTEMS][MOST];

static void league(double *r, int w, int l) {
    double gap = fmin(500.0, fmax(-500.0, r[l] - r[w])), stake = (double)(int)(gap / 25.0) + 30.0;
    r[w] = r[w] + stake + 10.0;
    r[l] = r[l] - stake;
}
static void solo_zerg(double *r, int w, int l) {
    double bonus = fmax(0.0, 100.0 - pow(fabs(r[l] - r[w]), 0.6652));
    r[w] += bonus;
    r[l] = fmax(1000.0, r[l] - bonus);
}
static void r2(double *r, double *c, int w, int l) {
    double own = r[w] * c[w], other = r[l] * c[l], discount = fmin(99.0, fabs(other - own) / 10.0);
    double bonus = 100.0 - discount, growth = 1.0 + (own > other ? bonus : 100.0 + discount) / 2000.0;
    double up = r[w] + bonus, down = r[l] - bonus, higher = c[w] * growth, lower = c[l] / growth;
    if (higher > 1.27) { up *= higher - (1.27 - 1.0); higher = 1.27; }
    if (lower < 0.79) { down /= (1.0 + 0.79) - lower; lower = 0.79; }
    r[w] = up; r[l] = fmax(1000.0, down); c[w] = higher; c[l] = lower;
}
static void kd(double *r, int w, int l) {
    double stake = 2.0 * (r[l] + 2.0) / (r[w] + 2.0), kept = pow(1.0 - stake / (100.0 * 1000.0), 1000.0);
    r[w] = 100.0 - (100.0 - r[w]) * kept;
    r[l] *= kept;
}
static double k_of(double r) { return r >= 2400.0 ? 10.0 : r >= 1000.0 ? 15.0 : 25.0; }
static void elo(double *r, int one, int two, double score) {
    double own = r[one], other = r[two], surplus = score - 1.0 / (1.0 + pow(10.0, (other - own) / 400.0));
    r[one] = own + k_of(own) * surplus;
    r[two] = other - k_of(other) * surplus;
}
static double glicko_side(double own, double spread, double other, double other_spread, double score, double *after) {
    static const double q = Q_OF_GLICKO, pi = 3.141592653589793;
    double s = q * other_spread / pi, g = 1.0 / sqrt(1.0 + 3.0 * s * s);
    double expected = 1.0 / (1.0 + exp(-g * q * (own - other)));
    double variance = 1.0 / (1.0 / (spread * spread) + q * q * (g * g * expected * (1.0 - expected)));
    *after = sqrt(variance);
    return own + q * variance * g * (score - expected);
}
static void glicko(double *r, double *d, int one, int two, double score) {
    double own = r[one], other = r[two], spread = d[one], other_spread = d[two];
    r[one] = glicko_side(own, spread, other, other_spread, score, &d[one]);
    r[two] = glicko_side(other, other_spread, own, spread, 1.0 - score, &d[two]);
}
static void normalise(double *r, int one, int two, double factor, int players) {
    if (r[one] <= 3000.0 && r[two] <= 3000.0) return;
    for (int i = 0; i < players; i++) r[i] = fmax(1000.0, r[i] * factor);
}
static long disorder(const double *r, int *table, const double *strength, int players) {
    long total = 0;
    for (int i = 1; i < players; i++) {
        int place = table[i], above = i - 1;
        double value = r[place];
        for (; above >= 0 && r[table[above]] < value; above--) table[above + 1] = table[above];
        table[above + 1] = place;
    }
    for (int i = 1; i < players; i++) {
        double upper = strength[table[i - 1]], lower = strength[table[i]];
        total += upper >= lower ? (upper >= 4.0 * lower) : 4.0 * upper <= lower ? 3 : 2;
    }
    return total;
}
long study(long games, long doubles, const double *uniforms, int players, const double *strength,
           const double *frequency, double *ratings, long *index) {
    long at = 0, looks = games / 100;
    for (int i = 0; i < players; i++) {
        for (int s = 0; s < SYSTEMS; s++) { rating[s][i] = STARTS[s]; order[s][i] = i; }
        coefficient[i] = 1.0;
        deviation[i] = 350.0;
    }
    for (long game = 0; game < games; game++) {
        int one = -1, two = -1;
        while (one < 0 || two < 0) {
            if (at + 2 > doubles) return -1;
            int place = (int)(uniforms[at] * players);
            if (uniforms[at + 1] * 160.0 < frequency[place]) {
                if (one < 0) one = place;
                else if (place != one) two = place;
            }
            at += 2;
        }
        if (at + 1 > doubles) return -1;
        int won = uniforms[at++] * (strength[one] + strength[two]) < strength[one];
        int w = won ? one : two, l = won ? two : one;
        league(rating[LEAGUE], w, l);
        solo_zerg(rating[SOLO_ZERG], w, l);
        normalise(rating[SOLO_ZERG], one, two, 0.75, players);
        r2(rating[R2], coefficient, w, l);
        normalise(rating[R2], one, two, 0.8, players);
        kd(rating[KD], w, l);
        elo(rating[ELO], one, two, (double)won);
        glicko(rating[GLICKO], deviation, one, two, (double)won);
        if ((game + 1) % 100 == 0)
            for (int s = 0; s < SYSTEMS; s++)
                index[s * looks + game / 100] = disorder(rating[s], order[s], strength, players);
    }
    for (int s = 0; s < SYSTEMS; s++) memcpy(ratings + s * players, rating[s], players * sizeof(double));
    return at;
}
"""


class Outcome(NamedTuple):
    """Per system, in the study's order: everybody's last rating by place, and the disorder after every 100th game."""

    ratings: list[list[float]]
    disorder: list[list[int]]


class CStudy(NamedTuple):
    """`run` plays the study once, `read` says what came of it, `used` how many doubles it took."""

    run: Callable[[], int]
    read: Callable[[], Outcome]


def compiler() -> str | None:
    """The C compiler of this machine."""
    return which("cc") or which("gcc")


def c_study(games: int, rng: Any, strengths: Sequence[float], frequencies: Sequence[float], q: float) -> CStudy | None:
    """The study over those doubles (a NumPy array), or None where no compiler is. `q`: Glicko's ln 10 / 400, handed in
    so that both have the same last digit. `run` answers how many doubles it took, -1 where they did not last."""
    found = compiler()
    if found is None:
        return None
    study = library(found, SOURCE.replace("Q_OF_GLICKO", q.hex())).study
    study.restype = ctypes.c_long
    players, looks = len(strengths), games // 100
    people = [(ctypes.c_double * players)(*each) for each in (strengths, frequencies)]
    ratings, index = (ctypes.c_double * (SYSTEMS * players))(), (ctypes.c_long * (SYSTEMS * looks))()
    doubles = ctypes.c_void_p(rng.ctypes.data)

    def run() -> int:
        return int(study(ctypes.c_long(games), ctypes.c_long(len(rng)), doubles, players, *people, ratings, index))

    def read() -> Outcome:
        return Outcome(
            [list(ratings[at * players : (at + 1) * players]) for at in range(SYSTEMS)],
            [list(index[at * looks : (at + 1) * looks]) for at in range(SYSTEMS)],
        )

    return CStudy(run, read)


def library(found: str, text: str) -> ctypes.CDLL:
    """The text compiled and loaded."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "study.c", Path(folder) / "study.so"
        source.write_text(text, encoding="utf-8")
        options = ("-O2", "-ffp-contract=off", "-shared", "-fPIC")
        subprocess.run([found, *options, source, "-o", library, "-lm"], check=True)
        return ctypes.CDLL(str(library))
