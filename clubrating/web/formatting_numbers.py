"""How a figure with decimals is written in the page's language: 12.5, in Russian 12,5.

Figures come from pure code as texts with a point (`clubrating.ground.figures`); what is read by programs, in files and in
attributes of a page, keeps it.
"""

from django.utils.formats import get_format


def written(figure: str) -> str:
    """The figure, or a computation of figures, with the language's decimal sign."""
    sign: str = get_format("DECIMAL_SEPARATOR")
    return figure if sign == "." else figure.replace(".", sign)
