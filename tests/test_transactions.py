"""What the services lock, and that what writes is one transaction. Read off the source with `ast`.

A lock that is missing shows only when two people do the same at the same moment, and a transaction that is missing only
when something fails half way: few other tests can see either. Whoever adds a service names it here.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ATOMIC = "transaction.atomic"
# A lock counts as one: it holds until the end of a transaction only.
WRITES = {
    *("save", "create", "bulk_create", "update", "bulk_update", "get_or_create", "update_or_create", "delete"),
    *("write_audit", "select_for_update"),
}
# What each service locks itself, by the model or by the query that is locked. Functions it calls in other modules may
# lock more: lists and ledgers are locked by those that write them.
LOCKS = {
    "": """
        remind
        redact_notes redact_events found_club take_numbers finish_job cancel_job lift_lock make_link set_password
        create_players write_question take_up note_failed
        sign_out_everywhere request_study refresh_ranked create_list ensure_main_list change_list set_rules freeze
        ask_for_pictures report_page store
        _write _write_ratings set_tiers _moved seed_demo add_from_list set_up_club request_rebuild request_correction
        hand_out_own_data ask answer_chunk accept_reports seed_scale _play import_players
        _renew _requeue_chunk _take_back effects_of_list_change subscribe ask_for_mail note_readers write_sides
        create_league create_club create_team_event add_by_names _follow
        forget_address forget_old_requests _take_place forget_devices
        make_webhook answer_once tell_programs switch_on send_now
        delete_score_sheet forget_score_sheets
    """,
    "Club": "update_club",
    "League": "rename_league",
    "LeagueClub": "change_club make_account set_clubs",
    "League lock_lists": "make_next_season",
    "CaptainLink": "revoke_link",
    "Contest lock_lists": "correct_contest",
    "DueNotice": "take_due",
    "Game": "read_result report_result _keep",
    "Game TeamMatch Tournament lock_lists": "change_board",
    "Game lock_lists": "record_result correct_result",
    "Job": "finish_chunk",
    "JobChunk": "lease_chunk",
    "MailSubscription": "without_kind",
    "PageReport": "settle_page_report",
    "Passkey": "use_passkey",
    "PersonalLink": """
        open_personal_link revoke_personal_link allow_device open_for_passkey add_link_passkey remove_link_passkey
    """,
    "LinkPasskey": "use_link_passkey",
    "Player": "make_personal_link set_guardians forget_guardians update_player set_identities delete_player",
    "ProhibitedPair": "allow",
    "RatingList": "_begin _catch_up _take_changes take_over",
    "ResultReport": "decline_report",
    "Round": "plan_round publish_round",
    "lock_round": "set_clock pause_clock resume_clock extend_clock remove_clock put_clock_back",
    "Round Tournament": "unpublish_round",
    "Round Tournament lock_lists": "delete_round preview commit",
    "Season": "delete_season",
    "Season lock_lists": "save_season",
    "Stage": "settle_match",
    "Stage lock_lists": "rule_match take_ruling_back add_extra_games",
    "StartingRating": "enter_starting_ratings",
    "TeamMatch Tournament": "hand_in",
    "TeamMatch lock_lists lock_team": "bring_team_back take_team_out",
    "TeamMatch Tournament lock_lists": "open_match",
    "Tournament": """
        add_players add_team change_player change_rules change_team number_teams order_players remove_player remove_team
        ask_for_entry confirm_entry withdraw_request set_entry_rules drop_entry_rules refuse link_player create_from
        mark_paid report_absence take_absence_back request_bye cancel_bye check_in remove_entry number_by_lot
        number_by_rating number_in_order enter_list change_settings remove_late pair_next_round renumber_by_rating
        correct_entry_rating set_prizes prohibit change_running_settings form_stages make_rounds qualify has_moved
        several_rounds _recount set_papers set_federations set_board request_own_bye cancel_own_bye
    """,
    "Tournament lock_game lock_lists": "change_quickly take_off",
    "Tournament lock_lists": """
        preview_closing close_event reopen_event update_tournament change_importance delete_tournament record_free_game
        enter_late pair_all_rounds delete_rounds dissolve_stages undo withdraw_entry return_entry record_contest
        insert_contest approve approve_all take_entry_back
    """,
    "Tournament lock_lists lock_players": "merge_players undo_merge",
    "Tournament lock_players": "enter_players",
    "User": """
        make_token make_officer update_officer set_role set_by_link begin_factor renew_codes
        turn_factor_off reset_factor add_passkey remove_passkey
    """,
    "Webhook": "renew_secret delete_webhook switch_webhook note_failure",
    "WebhookDelivery": "send_again",
    "live_tokens()": "revoke_token",
    "lock_event lock_lists": "cancel",
    "lock_event": """
        challenge accept decline withdraw open_evening end_evening arrive leave set_boards set_free_rules
    """,
    "lock_event_of": "pair_by_hand",
    "lock_event_of lock_round": "re_pair",
    "lock_game": "_report swap_colours remove_game set_handicap set_stones record_with_stones note_result play_board",
    "lock_game lock_lists": "exchange_results",
    "Game lock_game lock_lists": "take_seats",
    "lock_lists": """
        settle_probations
        copy_event preview commit create_tournament commit_list insert_game carry_out_beside carry_out_at_once _after
        publish_list preview_publication rerate bring_starting_ratings drop_starting_rating change_player change_people
        enter_agreed move_starting_ratings import_report requalify load_games load_contests change_rated_list
    """,
    "lock_lists lock_match": "set_absent captain_hands_in captain_opens enter_card confirm_card",
    "lock_lists lock_open_event": "redraw_bracket make_fixtures delete_fixtures",
    "lock_lists lock_open_event lock_round": "delete_last_round",
    "lock_lists lock_players": "anonymise_player erase_again",
    "lock_match": "agree consent decide_who_goes_on hand_in_by_rules plan_match rule_on_match",
    "lock_open_event": "draw_bracket add_round",
    "lock_team": "lift_penalty penalise make_link officer_adds officer_orders",
    "lock_team_event": "make_next_round",
    "open_games": "store_forecast",
    "type(device)": "confirm_factor _check",
}
# Two writes or more, and no transaction of its own: it is only called inside one.
WITHIN_ANOTHER = """
    report_progress remove_starting_rating rebuild abandon clear_generations settle settle_armageddon make_entries
    open_event make_free_game bring_back advance take_seat write_round number_among give_numbers seat_round
    lock_match seat_boards clear_boards take_out bring_entry_back take_withdrawal_back bring_bracket_back
    make_rules write_teams ask_half_byes join entry_gone entry_back follow_final
    new_codes forget_factor move_up
"""
# Several transactions on purpose: a code that was tried counts whatever follows, a large database is filled in parts.
IN_PARTS = {"confirm_factor", "seed_scale"}


class Service:
    """A module of services: its functions by name, and what each does, together with those of its module it calls."""

    def __init__(self, path: Path) -> None:
        tree = ast.parse(path.read_text())
        self.functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}

    def within(self, name: str) -> Iterator[ast.AST]:
        """All nodes of a function and of those it names, each function once."""
        waiting: list[ast.AST] = [self.functions[name]]
        seen = {name}
        while waiting:
            node = waiting.pop()
            yield node
            waiting += self._parts(node, seen)

    def _parts(self, node: ast.AST, seen: set[str]) -> Iterator[ast.AST]:
        """What a node is made of, and the function it names unless that was seen."""
        if isinstance(node, ast.Attribute) and node.attr == "enqueue":
            return  # what is queued runs later, in a transaction of its own
        yield from ast.iter_child_nodes(node)
        if isinstance(node, ast.Name) and node.id in self.functions and node.id not in seen:
            seen.add(node.id)
            yield self.functions[node.id]

    def is_atomic(self, name: str) -> bool:
        """As a whole or in part."""
        return ATOMIC in ast.unparse(self.functions[name])

    def locks(self, name: str) -> set[str]:
        """The models and queries a function locks, and the locking functions of other modules it calls."""
        return {found for node in self.within(name) if (found := lock_of(node, self.functions))}

    def writes(self, name: str) -> int:
        """How many places write, each in a transaction of its own: a block that is one counts once."""
        return self._writes(self.functions[name], {name})

    def _writes(self, node: ast.AST, seen: set[str]) -> int:
        count = isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in WRITES
        found = count + sum(self._writes(part, seen) for part in self._parts(node, seen) if not is_whole(part))
        is_block = isinstance(node, ast.With) and any(ATOMIC in ast.unparse(item) for item in node.items)
        return min(found, 1) if is_block else found


def is_whole(node: ast.AST) -> bool:
    """Is it a function that is one transaction?"""
    return isinstance(node, ast.FunctionDef) and ATOMIC in map(ast.unparse, node.decorator_list)


def lock_of(node: ast.AST, own: dict[str, ast.FunctionDef]) -> str:
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Attribute) and node.func.attr == "select_for_update":
        return ast.unparse(node.func.value).removesuffix(".objects")
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    return name if name.startswith("lock_") and name not in own else ""


@cache
def services() -> list[Service]:
    apps = (ROOT / app for app in ("clubrating", "players", "ratings", "tournaments"))
    paths = {path for app in apps for name in ("services.py", "services/*.py") for path in app.rglob(name)}
    return [Service(path) for path in sorted({*paths, ROOT / "players" / "counters.py"})]


def test_each_service_locks_what_it_changes() -> None:
    found = defaultdict(set)
    for service in services():
        for name in service.functions:
            if service.is_atomic(name):
                found[" ".join(sorted(service.locks(name)))].add(name)
    assert found == {locked: set(names.split()) for locked, names in LOCKS.items()}


def test_who_locks_for_other_modules_locks() -> None:
    """What the callers above name as a lock of theirs: it would be one by name only."""
    found = [
        (name, " ".join(sorted(service.locks(name))))
        for service in services()
        for name in service.functions
        if name.startswith("lock_")
    ]
    assert sorted(found) == [
        ("lock_contest", "Contest lock_lists"),
        ("lock_event", "Tournament"),
        ("lock_event", "Tournament lock_lists"),
        ("lock_event_of", "Tournament"),
        ("lock_game", "Game lock_lists"),
        ("lock_lists", "RatingList"),
        ("lock_match", "TeamMatch Tournament"),
        ("lock_open_event", "Tournament"),
        ("lock_players", "Player"),
        ("lock_round", "Round"),
        ("lock_team", "Tournament"),
        ("lock_team_event", "lock_open_event"),
        ("lock_webhook", "Webhook"),
    ]


def test_what_must_not_be_played_meanwhile_is_locked_when_it_is_looked_at() -> None:
    """Their callers are the services: these look at games and matches for them, within the transaction. So does what
    takes over what was rated beside."""
    locks = {"played_among": {"games"}, "ruled_among": {"pairings"}, "_take_over_all": {"lock_lists"}}
    found = {name: service.locks(name) for service in services() for name in service.functions if name in locks}
    assert found == locks


def test_a_command_that_reads_what_is_rated_meanwhile_locks_it() -> None:
    found = {}
    for path in ROOT.glob("*/management/commands/*.py"):
        if locked := {lock for node in ast.walk(ast.parse(path.read_text())) if (lock := lock_of(node, {}))}:
            found[path.stem] = locked
    lists = {"import_fide_list": {"lock_lists"}, "import_players": {"lock_lists"}}
    assert found == {**lists, "rebuild_ratings": {"RatingList"}}


def test_what_writes_twice_or_locks_and_writes_is_one_transaction() -> None:
    outside = {
        name
        for service in services()
        for name in service.functions
        if not name.startswith("_") and not is_whole(service.functions[name]) and service.writes(name) > 1
    }
    assert outside == {*WITHIN_ANOTHER.split(), *IN_PARTS}
