from clubrating.ground.numbers import number_in, whole_number


def test_a_whole_number_is_written_in_plain_digits_and_few_enough_of_them() -> None:
    numbers = {"0": 0, "7": 7, "007": 7, "999999999": 999_999_999}
    others = ["", " ", "1 ", "\n1", "-1", "+1", "1_0", "1.0", "1e3", "x", "²", "٣", "１２", "1234567890", "9" * 5000]
    assert {text: whole_number(text) for text in numbers} == numbers
    assert {text: whole_number(text) for text in others} == dict.fromkeys(others)
    assert {text: number_in(text) for text in [*numbers, *others]} == numbers | dict.fromkeys(others, -1)


def test_how_many_digits_it_may_have_can_be_said() -> None:
    assert [whole_number("1234", digits) for digits in (3, 4, 5)] == [None, 1234, 1234]
    assert whole_number("123456789012345678", digits=18) == 123_456_789_012_345_678
