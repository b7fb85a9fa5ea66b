"""Days, times and numbers in Chinese, both scripts, where a page names no kind of its own, as in the admin's lists."""

DATE_FORMAT = "Y年n月j日"
SHORT_DATE_FORMAT = "Y年n月j日"
DATETIME_FORMAT = "Y年n月j日 H:i"
SHORT_DATETIME_FORMAT = "Y年n月j日 H:i"
TIME_FORMAT = "H:i"
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ""
# Whatever the language, a day is typed as 2026-11-14: the form that a browser's own calendar sends.
DATE_INPUT_FORMATS = ["%Y-%m-%d"]
DATETIME_INPUT_FORMATS = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"]
TIME_INPUT_FORMATS = ["%H:%M", "%H:%M:%S"]
FIRST_DAY_OF_WEEK = 1
