"""How a name may be read in Latin letters, as a proposal to an arbiter who knows the person (pure).

Each language by the published table it names; apostrophes and primes are left out. Cyrillic is read in each
language whose alphabet has all letters of the name, since Гриценко is Gritsenko in Russian and Hrytsenko in Ukrainian.
Proposed is nothing where the letters do not say how a name sounds: Chinese characters (a name may be Chinese or
Japanese), Arabic and Hebrew (vowels are not written), Korean (everybody has a spelling), Indic scripts and Thai; and
of Japanese syllables where two vowels may be a long one or two (Inoue, Satō).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from clubrating.ground.marks import marked
from players.people.names import CYRILLIC, scripts_of


@dataclass(frozen=True, slots=True)
class Proposal:
    """A reading, and the languages (in English, marked) by whose tables it is one."""

    reading: str
    languages: tuple[str, ...]


_Read = Callable[[str], str | None]  # a word in lower case → its letters; None where the table has not all of them


def _pairs_of(text: str) -> dict[str, str]:
    """ "а a ь -": each letter with its reading; a dash for none."""
    words = text.split()
    return {letter: "" if read == "-" else read for letter, read in zip(words[::2], words[1::2], strict=True)}


def _by_table(letters: str, *, first: str = "", again_after: str = "", pairs: str = "", last: str = "") -> _Read:
    """Letter by letter; `first`: read otherwise where a word begins, and after the letters of `again_after`; `pairs`
    and, where a word ends, `last` go before single letters."""
    single, pair, opening, ending = (_pairs_of(text) for text in (letters, pairs, first, last))

    def read(word: str) -> str | None:
        spelt, at = "", 0
        while at < len(word):
            rest = word[at:]
            known = ending.get(rest) if at else None
            size = len(rest) if known is not None else 2
            if known is None:
                known = pair.get(rest[:2])
            if known is None:
                begins = not at or word[at - 1] in again_after
                known, size = (opening.get(rest[0]) if begins else None) or single.get(rest[0]), 1
            if known is None:
                return None
            spelt, at = spelt + known, at + size
        return spelt

    return read


_TABLES: tuple[tuple[str, str, _Read], ...] = (
    # BGN/PCGN 1947
    (
        marked("Russian"),
        CYRILLIC,
        _by_table(
            "а a б b в v г g д d е e ё ë ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh "
            "ц ts ч ch ш sh щ shch ъ - ы y ь - э e ю yu я ya",
            first="е ye ё yë",
            again_after="аеёиоуыэюяйьъ",
        ),
    ),
    # Resolution 55 of the Cabinet of Ministers, 2010
    (
        marked("Ukrainian"),
        CYRILLIC,
        _by_table(
            "а a б b в v г h ґ g д d е e є ie ж zh з z и y і i ї i й i к k л l м m н n о o п p р r с s т t у u "
            "ф f х kh ц ts ч ch ш sh щ shch ь - ю iu я ia",
            first="є ye ї yi й y ю yu я ya",
            pairs="зг zgh",
        ),
    ),
    # Transliteration Act, 2009
    (
        marked("Bulgarian"),
        CYRILLIC,
        _by_table(
            "а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х h ц ts "
            "ч ch ш sh щ sht ъ a ь y ю yu я ya",
            last="ия ia",
        ),
    ),
    # Serbian is written in both alphabets, letter for letter
    (
        marked("Serbian"),
        CYRILLIC,
        _by_table(
            "а a б b в v г g д d ђ đ е e ж ž з z и i ј j к k л l љ lj м m н n њ nj о o п p р r с s т t ћ ć у u "
            "ф f х h ц c ч č џ dž ш š",
        ),
    ),
    # National system, 2002
    (
        marked("Georgian"),
        "GEORGIAN",
        _by_table(
            "ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u ფ p ქ k ღ gh ყ q "
            "შ sh ჩ ch ც ts ძ dz წ ts ჭ ch ხ kh ჯ j ჰ h",
        ),
    ),
    # BGN/PCGN 1981
    (
        marked("Armenian (eastern)"),
        "ARMENIAN",
        _by_table(
            "ա a բ b գ g դ d ե e զ z է e ը y թ t ժ zh ի i լ l խ kh ծ ts կ k հ h ձ dz ղ gh ճ ch մ m յ y ն n "
            "շ sh ո o չ ch պ p ջ j ռ rr ս s վ v տ t ր r ց ts ւ w փ p ք k և ev օ o ֆ f",
            first="ե ye ո vo և yev",
            pairs="ու u",
        ),
    ),
)

# ELOT 743, 1982, as on Greek passports.
_GREEK = _pairs_of(
    "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o "
    "ά a έ e ή i ί i ό o ύ y ώ o ϊ i ϋ y ΐ i ΰ y"
)
_GREEK_PAIRS = _pairs_of("ου ou ού ou γγ ng γξ nx γχ nch")
_DIPHTHONGS = _pairs_of("αυ a αύ a ευ e εύ e ηυ i ηύ i")
_UNVOICED = "θκξπσςτφχψ"


def _greek(word: str) -> str | None:
    spelt, at = "", 0
    while at < len(word):
        pair, after = word[at : at + 2], word[at + 2 : at + 3]
        if pair in _DIPHTHONGS:
            known: str | None = _DIPHTHONGS[pair] + ("f" if after in _UNVOICED else "v")  # at the end: f
        elif pair == "μπ" and (not at or not after):
            known = "b"
        else:
            known = _GREEK_PAIRS.get(pair)
        size = 2 if known is not None else 1
        known = known if known is not None else _GREEK.get(word[at])
        if known is None:
            return None
        spelt, at = spelt + known, at + size
    return spelt


# Hepburn; small ゃゅょ join the syllable before them.
_KANA = _pairs_of(
    "あ a い i う u え e お o か ka き ki く ku け ke こ ko さ sa し shi す su せ se そ so た ta ち chi つ tsu "
    "て te と to な na に ni ぬ nu ね ne の no は ha ひ hi ふ fu へ he ほ ho ま ma み mi む mu め me も mo "
    "や ya ゆ yu よ yo ら ra り ri る ru れ re ろ ro わ wa を o ん n が ga ぎ gi ぐ gu げ ge ご go ざ za じ ji "
    "ず zu ぜ ze ぞ zo だ da ぢ ji づ zu で de ど do ば ba び bi ぶ bu べ be ぼ bo ぱ pa ぴ pi ぷ pu ぺ pe "
    "ぽ po ゔ vu"
)
_SMALL = _pairs_of("ゃ a ゅ u ょ o")
_LONG = dict(zip("aiueo", "āīūēō", strict=True))
_TO_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヴ") + 1)}


def _japanese(word: str) -> str | None:
    spelt, doubled = "", False
    for sign in word.translate(_TO_HIRAGANA):
        if sign == "っ":
            doubled = True
        elif sign == "ー" and spelt[-1:] in _LONG:
            spelt = spelt[:-1] + _LONG[spelt[-1]]
        elif sign in _SMALL and spelt.endswith("i") and len(spelt) > 1:
            joins = spelt.endswith(("shi", "chi", "ji"))
            spelt = spelt[:-1] + ("" if joins else "y") + _SMALL[sign]
        elif syllable := _KANA.get(sign):
            between = "'" if spelt.endswith("n") and syllable[0] in "aiueoy" else ""
            twice = ("t" if syllable.startswith("ch") else syllable[0]) if doubled else ""
            spelt, doubled = spelt + between + twice + syllable, False
        else:
            return None
    # Whether these are a long vowel or two, only a dictionary knows.
    return None if any(pair in spelt for pair in ("ou", "oo", "uu")) else spelt


# --- proposals -------------------------------------------------------------------------------------------------------
_INSIDE = re.compile(r"(?<=\w)['’ʼ](?=\w)")  # an apostrophe within a word is not read
_WORD = re.compile(r"([^\W\d_]+)")


def proposals(name: str) -> list[Proposal]:
    """How the name may be read, each reading once; nothing where its letters do not say."""
    found: dict[str, tuple[str, ...]] = {}
    for language, read in _languages_of(name):
        parts = [_spelt(part, read) for part in _WORD.split(_INSIDE.sub("", name))]
        if None not in parts:
            reading = "".join(part or "" for part in parts)
            found[reading] = (*found.get(reading, ()), language)
    return [Proposal(reading, languages) for reading, languages in found.items()]


def _languages_of(name: str) -> Iterator[tuple[str, _Read]]:
    scripts = scripts_of(_INSIDE.sub("", name))
    yield from ((language, read) for language, script, read in _TABLES if scripts == {script})
    if scripts == {"GREEK"}:
        yield marked("Greek"), _greek
    if scripts and scripts <= {"HIRAGANA", "KATAKANA"}:
        yield marked("Japanese"), _japanese


def _spelt(part: str, read: _Read) -> str | None:
    """A word with a capital, unless it is written without one in a script that has them; whatever else as it is."""
    if not part[:1].isalpha():
        return part
    reading = read(part.lower())
    is_small = part[0].islower() and scripts_of(part) != {"GEORGIAN"}
    return reading if is_small or not reading else reading[0].upper() + reading[1:]
