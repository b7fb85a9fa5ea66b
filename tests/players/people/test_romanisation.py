"""How a name may be read: printed examples of each table, and nothing where letters do not say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.people.names import is_helped_by, is_read_in
from players.people.romanisation import proposals


def read_as(language: str, name: str) -> str:
    return next(each.reading for each in proposals(name) if language in each.languages)


@pytest.mark.parametrize(
    ("language", "examples"),
    [
        # The examples of Resolution 55, 2010.
        (
            "Ukrainian",
            "Борщагівка Borshchahivka, Гадяч Hadiach, Ґалаґан Galagan, Згурський Zghurskyi, Єнакієве Yenakiieve, "
            "Гаєвич Haievych, Їжакевич Yizhakevych, Йосипівка Yosypivka, Кадиївка Kadyivka, Мар'їне Marine, "
            "Юрій Yurii, Крюківка Kriukivka, Ярошенко Yaroshenko, Костянтин Kostiantyn, Феодосія Feodosiia",
        ),
        (
            "Russian",
            "Достоевский Dostoyevskiy, Ельцин Yeltsin, Объедков Obyedkov, Щукин Shchukin, Ёлкин Yëlkin, фон fon",
        ),
        ("Bulgarian", "Търново Tarnovo, Щерев Shterev, Мария Maria, Цонев Tsonev, Желев Zhelev"),
        ("Serbian", "Ђоковић Đoković, Љубљана Ljubljana, Џуџа Džudža, Његош Njegoš"),
        ("Georgian", "თბილისი Tbilisi, ქუთაისი Kutaisi, მცხეთა Mtskheta, ჭიათურა Chiatura"),
        ("Armenian (eastern)", "Երևան Yerevan, Պետրոսյան Petrosyan, Ոսկան Voskan, Շուշան Shushan"),
        ("Greek", "Ευαγγελία Evangelia, Παύλος Pavlos, Ευτυχία Eftychia, Μπάμπης Bampis, Ούρσουλα Oursoula"),
        ("Greek", "Τζομπ Tzob"),
        (
            "Japanese",
            "けんいち Ken'ichi, はっとり Hattori, きっちん Kitchin, キャサリン Kyasarin, マリー Marī, しゅり Shuri, "
            "ちゃこ Chako, じゅん Jun, けんた Kenta",
        ),
    ],
)
def test_a_table_reads_as_it_was_printed(language: str, examples: str) -> None:
    for example in examples.split(", "):
        name, reading = example.split(" ")
        assert read_as(language, name) == reading


def test_a_name_that_several_languages_have_is_read_in_each() -> None:
    found = [(each.reading, each.languages[0]) for each in proposals("Оксана Гриценко")]
    assert found[:2] == [("Oksana Gritsenko", "Russian"), ("Oksana Hrytsenko", "Ukrainian")]
    (same,) = proposals("Анна Соколова")
    assert (same.reading, same.languages) == ("Anna Sokolova", ("Russian", "Ukrainian", "Bulgarian", "Serbian"))


@pytest.mark.parametrize(
    "name",
    ["佐藤はるか", "陈思远", "ليلى منصور", "ליאור ברקאי", "김서연", "मीरा जोशी", "いのうえ", "さとう",
     "いゃ", "かゃ", "ンー", "Ἀθηνᾶ", "ひヶさ", "Ada", "Анна Li", "", "…"],
)  # fmt: skip
def test_nothing_is_proposed_where_letters_do_not_say_how_a_name_is_spoken(name: str) -> None:
    assert proposals(name) == []


@given(st.text(max_size=40))
def test_any_text_is_read_or_not(text: str) -> None:
    assert all(each.reading for each in proposals(text))


@pytest.mark.parametrize(
    ("name", "reading", "helps"),
    [
        ("佐藤はるか", "Satō Haruka", "en ru zh-hans"),
        ("Анна Соколова", "Anna Sokolova", "en zh-hans"),
        ("陈思远", "Chen Siyuan", "en ru"),
        ("Ada Alvarez", "Ада Альварес", "ru"),
        ("Ada Alvarez", "", ""),
    ],
)
def test_a_reading_helps_whoever_reads_it_and_has_another_script(name: str, reading: str, helps: str) -> None:
    assert " ".join(code for code in ("en", "ru", "zh-hans") if is_helped_by(name, reading, code)) == helps


def test_russian_and_chinese_readers_know_latin_letters_too() -> None:
    assert [code for code in ("en", "ru", "zh-hant") if is_read_in("Ada Alvarez", code)] == ["en", "ru", "zh-hant"]
    assert not is_read_in("佐藤はるか", "zh-hans"), "the syllables are Japanese"
