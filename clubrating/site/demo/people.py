"""The members of the demo club. All of them are invented; a likeness to anybody is chance.

`strength` is what a member plays like and nobody at the club knows: results are drawn from it. `rating` and `games`
are what the club's old spreadsheet says; who has none starts like any newcomer.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Member:
    """`age` in the year of the demo; `comes` is the share of club evenings the member is there, `since` and `until`
    the weeks before today between which he comes at all."""

    name: str
    age: int
    strength: int
    rating: int | None = None
    games: int = 0
    comes: float = 0.5
    since: int = 999
    until: int = 0
    sex: str = ""
    title: str = ""
    visibility: str = ""


INACTIVE = "Friedrich Amsinck"
HIDDEN = "ליאור ברקאי"
MINOR = "Kertész, Dániel"

# How they write themselves in Latin letters.
READINGS = {
    "Анна Соколова": "Anna Sokolova",
    "陈思远": "Chen Siyuan",
    "Михаил Левченко": "Mikhail Levchenko",
    "林美玲": "Lin Meiling",
    "Ελένη Παπαδάκη": "Eleni Papadaki",
    "Николай Цветков": "Nikolay Tsvetkov",
    "Оксана Гриценко": "Oksana Hrytsenko",
    "佐藤はるか": "Satō Haruka",
    "გიორგი კალანდაძე": "Giorgi Kalandadze",
    "ליאור ברקאי": "Lior Barkai",
    "ليلى منصور": "Layla Mansour",
    "मीरा जोशी": "Meera Joshi",
    "Նարե Զաքարյան": "Nare Zakaryan",
    "김서연": "Kim Seo-yeon",
}

MEMBERS: tuple[Member, ...] = (
    Member("Ilse Vandermeulen", 41, 2110, 2104, 612, 0.6, sex="f", title="WFM"),
    Member("Анна Соколова", 29, 2060, 2061, 355, 0.6, sex="f", title="WFM"),
    Member("Priya Raghunathan", 34, 1990, 1952, 264, 0.7, sex="f"),
    Member("Rafael Montalvão", 38, 1925, 1934, 488, 0.6, sex="m"),
    Member("Łukasz Wiśniewski", 45, 1905, 1917, 903, 0.7, sex="m", title="CM"),
    Member("陈思远", 31, 1890, 1848, 143, 0.6, sex="m"),
    Member("Nguyễn Thị Hạnh", 27, 1870, 1822, 120, 0.7, sex="f"),
    Member("Tomás Echeverría", 52, 1845, 1866, 333, 0.5, sex="m"),
    Member("Михаил Левченко", 60, 1800, 1829, 207, 0.5, sex="m"),
    Member("Zsófia Kertész", 39, 1795, 1768, 118, 0.6, sex="f"),
    Member("Jean-Baptiste Kouassi", 33, 1775, 1741, 96, 0.6, sex="m"),
    Member("Sami Al-Khatib", 36, 1750, 1755, 174, 0.5, sex="m"),
    Member("Oluwaseun Adébáyò", 30, 1725, 1690, 61, 0.7, sex="m"),
    Member("Þórdís Hallgrímsdóttir", 44, 1705, 1712, 230, 0.5, sex="f"),
    Member("林美玲", 26, 1690, 1633, 44, 0.6, sex="f"),
    Member("Jürgen Osterkamp", 67, 1660, 1693, 1120, 0.8, sex="m"),
    Member("Ελένη Παπαδάκη", 48, 1650, 1641, 152, 0.4, sex="f"),
    Member("Николай Цветков", 55, 1630, 1648, 301, 0.5, sex="m"),
    Member("Aoife Ní Bhriain", 28, 1615, 1570, 38, 0.6, sex="f"),
    Member("Marguerite Oyelaran", 51, 1590, 1604, 186, 0.5, sex="f"),
    Member("Katharina Bruns", 46, 1575, 1583, 240, 0.4, sex="f"),
    Member("Оксана Гриценко", 37, 1560, 1532, 57, 0.6, sex="f"),
    Member("Ilja Baranauskas", 42, 1545, 1551, 92, 0.4, sex="m"),
    Member("佐藤はるか", 32, 1530, 1496, 40, 0.5, sex="f"),
    Member("Hinnerk Tietjen", 71, 1505, 1538, 764, 0.6, sex="m"),
    Member("გიორგი კალანდაძე", 35, 1490, 1462, 33, 0.5, sex="m"),
    Member("Maarit Koskela", 58, 1470, 1475, 205, 0.4, sex="f"),
    Member("Cemile Aydoğan", 40, 1450, 1440, 79, 0.5, sex="f", visibility="members"),
    Member("Ștefan Munteanu", 63, 1425, 1431, 310, 0.4, sex="m"),
    Member("ליאור ברקאי", 49, 1410, 1418, 66, 0.4, sex="m", visibility="hidden"),
    Member("Siôn Gruffydd", 54, 1385, 1402, 128, 0.4, sex="m"),
    Member("Enrique Salvatierra", 47, 1360, comes=0.7, since=44, sex="m"),
    Member("ليلى منصور", 25, 1640, comes=0.5, since=30, sex="f"),
    Member("मीरा जोशी", 29, 1480, comes=0.5, since=26, sex="f"),
    Member(MINOR, 14, 1555, comes=0.6, since=20, sex="m"),
    Member("Małgorzata Zielonka", 43, 1390, comes=0.5, since=16, sex="f"),
    Member("Նարե Զաքարյան", 24, 1580, comes=0.6, since=12, sex="f"),
    Member("김서연", 22, 1720, comes=0.7, since=7, sex="f"),
    Member("Ngozi Okwuosa", 31, 1440, comes=0.7, since=5, sex="f"),
    Member(INACTIVE, 79, 1600, 1655, 1340, 0.6, until=38, sex="m"),
)

# Who entered the club's tournaments, in the order they entered.
CLUB_CUP = (
    "Rafael Montalvão",
    "Priya Raghunathan",
    "Łukasz Wiśniewski",
    "陈思远",
    "Nguyễn Thị Hạnh",
    "Tomás Echeverría",
    "Михаил Левченко",
    "Zsófia Kertész",
    "Jean-Baptiste Kouassi",
    "Oluwaseun Adébáyò",
)
CHAMPIONSHIP = (
    "Ilse Vandermeulen",
    "Анна Соколова",
    "Priya Raghunathan",
    "Nguyễn Thị Hạnh",
    "Sami Al-Khatib",
    "林美玲",
    "Aoife Ní Bhriain",
    MINOR,
    "ليلى منصور",
)
KNOCKOUT = (
    "Ilse Vandermeulen",
    "Анна Соколова",
    "陈思远",
    "Tomás Echeverría",
    "Zsófia Kertész",
    "Oluwaseun Adébáyò",
    "Михаил Левченко",
    "Rafael Montalvão",
    "林美玲",
    "Łukasz Wiśniewski",
    "Nguyễn Thị Hạnh",
    "Jean-Baptiste Kouassi",
    "Þórdís Hallgrímsdóttir",
    "Enrique Salvatierra",
)
RAPID_GROUPS = (
    "Priya Raghunathan",
    "Sami Al-Khatib",
    "Katharina Bruns",
    "Ελένη Παπαδάκη",
    "Николай Цветков",
    "佐藤はるか",
    "Aoife Ní Bhriain",
    MINOR,
)
FRIDAY_SWISS = (
    "Анна Соколова",
    "Rafael Montalvão",
    "Łukasz Wiśniewski",
    "Tomás Echeverría",
    "Sami Al-Khatib",
    "Þórdís Hallgrímsdóttir",
    "Jürgen Osterkamp",
    "Ελένη Παπαδάκη",
    "Николай Цветков",
    "Marguerite Oyelaran",
    MINOR,
    "Оксана Гриценко",
    "佐藤はるか",
    "გიორგი კალანდაძე",
    "Cemile Aydoğan",
    "ליאור ברקאי",
    "Enrique Salvatierra",
)
FRIDAY_LATE = "김서연"

# Who plays in the league for other clubs, the strongest first.
GUESTS: dict[str, tuple[Member, ...]] = {
    "Elmwood Knights": (
        Member("Beatrix Holloway", 37, 1960, sex="f"),
        Member("Marek Dvorník", 44, 1890, sex="m"),
        Member("Signe Lindwall", 29, 1830, sex="f"),
        Member("Callum Drayford", 52, 1760, sex="m"),
        Member("Iwona Sadłowska", 33, 1700, sex="f"),
    ),
    "Harbour Rooks": (
        Member("Tadeo Villarreal", 41, 1880, sex="m"),
        Member("Annegret Fehring", 63, 1790, sex="f"),
        Member("Kwabena Asantewaa", 35, 1720, sex="m"),
        Member("Noor van Dalfsen", 26, 1650, sex="f"),
        Member("Rhys Pendarren", 58, 1580, sex="m"),
    ),
}
