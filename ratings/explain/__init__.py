"""Explanations of rating changes (floor 4: words). One explainer per system; a system without one gets the plain one,
which shows what the ledger holds."""

from ratings.explain.base import Explainer
from ratings.explain.egf import EgfExplainer
from ratings.explain.federations import FideExplainer
from ratings.explain.glicko import Glicko2Explainer, GlickoExplainer
from ratings.explain.sides import TrueSkillExplainer, WengLinExplainer
from ratings.explain.study import BradleyTerryExplainer, KDExplainer, LeagueExplainer, R2Explainer, SoloZergExplainer

__all__ = ["EXPLAINERS", "explainer"]

EXPLAINERS: dict[str, Explainer] = {
    "elo": FideExplainer(),
    "glicko": GlickoExplainer(),
    "glicko2": Glicko2Explainer(),
    "league": LeagueExplainer(),
    "solo-zerg": SoloZergExplainer(),
    "r2": R2Explainer(),
    "kd": KDExplainer(),
    "bradley-terry": BradleyTerryExplainer(),
    "trueskill": TrueSkillExplainer(),
    "weng-lin": WengLinExplainer(),
    "egf": EgfExplainer(),
}


def explainer(system_key: str) -> Explainer:
    """The system's own explainer, or the plain one."""
    return EXPLAINERS.get(system_key, Explainer())
