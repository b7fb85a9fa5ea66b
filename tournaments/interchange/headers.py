"""Headers of lists of people as people write them, in the club's four languages and a few others (pure).

"ФИО", "Elo" and "出生日期" become `player`, `rating` and `birth_year`. Family and given name in two columns become one,
and of a day of birth only the year is kept. Case, blanks, points and hyphens do not count. What programs such as
Swiss-Manager write below a table is left out and named.

Not done: reading a bare "No." or "№" as the club's number of a player: it is mostly the number of the row. And reading
"звание" or "称号" as a title: most of those a club's list has are no titles of FIDE.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from clubrating.ground.marks import sentence
from tournaments.interchange.tables_csv import MOST_BAD, BadRow, Line, Table, UnreadableFileError, shortened

# What a reader calls a column, and what else stands for it.
_NAME = (
    "player, name, full name, player name, member, spieler, nom, nombre, naam, фио, игрок, участник, имя, фамилия имя, "
    "фамилия и имя, фамилия имя отчество, 姓名, 名字, 棋手, 选手, 選手, 棋手姓名, 选手姓名, 選手姓名"
)
_WORDS: Mapping[str, str] = {
    "name": _NAME,
    "player": _NAME,
    "number": "number, club number, member number, player number, номер игрока, клубный номер, 会员号, 會員號, "
    "会员编号, 會員編號",
    "rating": "rating, elo, rtg, elo rating, club rating, рейтинг, эло, рейтинг эло, 等级分, 等級分",
    "games": "games, rated games, games played, партий, партии, число партий, количество партий, "
    "对局数, 對局數, 局数, 局數",
    "peak": "peak, best, best rating, peak rating, максимум, максимальный рейтинг, 最高等级分, 最高等級分",
    "deviation": "deviation, rd, rating deviation, отклонение, 偏差",
    "birth_year": "birth year, year of birth, born, birth, yob, dob, birthday, birthdate, birth date, date of birth, "
    "geburtsjahr, год рождения, гр, дата рождения, 出生年, 出生年份, 出生日期, 生日",
    "reading": "reading, name in latin letters, latin name, transliteration, латиницей, имя латиницей, фио латиницей, "
    "имя латинскими буквами, транслитерация, 拼音, 姓名拼音, 罗马字, 羅馬字",
    "sex": "sex, gender, пол, 性别, 性別",
    "title": "title, fide title, титул, 头衔, 頭銜",
    "fide_id": "fide id, fide no, fide number, id fide, fide code, номер фиде, код фиде, id фиде, fide编号, fide編號, "
    "国际棋联编号, 國際棋聯編號",
    "grade": "grade, go grade, rank, go rank, разряд, кю, степень, 段位, 棋力, 级位, 級位",
    "seed": "seed, starting number, посев, номер посева, стартовый номер, 种子, 种子号, 種子, 種子號",
}
_FAMILY = "last name, lastname, surname, family name, nachname, фамилия, 姓, 姓氏"
_GIVEN = "first name, given name, forename, vorname, имя, 名"
_FURTHER = "middle name, patronymic, отчество"
_YEAR_OF_DAY = re.compile(
    r"(?P<first>[12]\d{3})[-./年]\d{1,2}[-./月]\d{1,2}日?(?:[ T].*)?|\d{1,2}[-./]\d{1,2}[-./](?P<last>[12]\d{3})"
)
_CHINESE = re.compile("[\u3400-\u9fff]+")


def as_known(table: Table, wanted: Collection[str]) -> Table:
    """The table with those of the columns `wanted` that stand in it under another name called so; the other columns
    keep theirs. Raises UnreadableFileError where two columns say the same."""
    if parts := _name_parts(table):
        table = _joined(table, parts)
    called: dict[str, str] = {}
    for known in wanted:
        words = _spelt(_WORDS[known])
        found = [column for column in table.columns if _folded(column) in words]
        if known in table.columns or not found:
            continue
        filled = [column for column in found if len(found) > 1 and any(line.values.get(column) for line in table.lines)]
        if len(filled) > 1:
            raise UnreadableFileError(
                sentence(
                    "The columns %(columns)s say the same: rename or remove all but one.",
                    columns=", ".join(f"“{column}”" for column in filled),
                )
            )
        called[(filled or found)[0]] = known
    columns = tuple(called.get(column, column) for column in table.columns)
    alone = {number: (called.get(column, column), text) for number, (column, text) in table.alone.items()}
    return replace(table, columns=columns, lines=table.changed(lambda line: _renamed(line, called)), alone=alone)


def _renamed(line: Line, called: Mapping[str, str]) -> Line:
    values = line.values
    if called:
        values = {called.get(column, column): value for column, value in values.items()}
    if found := _YEAR_OF_DAY.fullmatch(values.get("birth_year", "")):
        values = values | {"birth_year": found["first"] or found["last"]}
    return line if values is line.values else Line(line.number, values)


def _spelt(words: str) -> frozenset[str]:
    return frozenset(_folded(word) for word in words.split(", "))


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold().replace("ё", "е"))


# --- what programs write below a table ----------------------------------------------------------------------------
# An address, a remark, a day or a program: nobody is called so.
_NO_NAME = re.compile(r":|www\.|swiss-?manager|chess-?results|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b", re.IGNORECASE)


def without_footers(table: Table, read: Collection[str]) -> Table:
    """The table without lines of a single text that can be nobody's: by its words, or because it stands in none of
    the columns that are `read` and is no number. They are in `left`."""
    left: dict[int, str] = {}
    for number, column, text in _single_texts(table):
        if _NO_NAME.search(text) or (column not in read and not text[0].isdigit()):
            left[number] = text
        if len(left) > MOST_BAD:
            raise UnreadableFileError(
                sentence("More than %(most)s lines are no player’s row: leave them out.", most=MOST_BAD)
            )
    named = (
        BadRow(number, sentence("“%(words)s” is no player’s row and is left out", words=shortened(text)))
        for number, text in sorted(left.items())
    )
    return replace(
        table,
        lines=table.changed(lambda line: None if line.number in left else line),
        bad=tuple(row for row in table.bad if row.line not in left),
        left=tuple(named),
    )


def _single_texts(table: Table) -> Iterator[tuple[int, str, str]]:
    """Number, column and text of every line that has no other value, usable or not."""
    for number, (column, text) in table.alone.items():
        yield number, column, text
    for line in table.lines:
        if sum(map(bool, line.values.values())) == 1:
            column, text = next(item for item in line.values.items() if item[1])
            yield line.number, column, text


# --- a name in several columns ------------------------------------------------------------------------------------
def _name_parts(table: Table) -> list[str]:
    """The columns of the family name, the given one and further ones; none unless both of the first are there."""
    parts = []
    for words in (_FAMILY, _GIVEN, _FURTHER):
        spelt = _spelt(words)
        parts.append(next((column for column in table.columns if _folded(column) in spelt), ""))
    has_both = all(parts[:2]) and not {"name", "player"} & set(table.columns)
    return [part for part in parts if part] if has_both else []


def _joined(table: Table, parts: list[str]) -> Table:
    """One column `name` in the place of them: "Family, Given"; Chinese names without anything between."""
    columns = tuple(column for column in table.columns if column not in parts)
    return replace(
        table,
        columns=("name", *columns),
        alone={number: ("name" if column in parts else column, text) for number, (column, text) in table.alone.items()},
        lines=table.changed(lambda line: _with_whole_name(line, parts)),
    )


def _with_whole_name(line: Line, parts: list[str]) -> Line:
    others = {column: value for column, value in line.values.items() if column not in parts}
    return replace(line, values={"name": _whole_name(line, parts), **others})


def _whole_name(line: Line, parts: list[str]) -> str:
    family, *given = (line.values.get(part, "") for part in parts)
    rest = " ".join(filter(None, given))
    if _CHINESE.fullmatch(family + rest):
        return family + rest
    return ", ".join(filter(None, (family, rest)))
