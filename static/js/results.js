// The result entry screen: one key a board, saved at once.
//
// The page is a plain form and works without this file. Here a chosen result is sent by itself (one board at a time,
// in the order of the keys) and the board is put back as the server drew it: no sentence is made up here. What could
// not be sent is kept and sent again; what somebody else entered comes in by itself, except on the board in hand.

const RESULTS = {
  1: "1-0", 0: "0-1", "=": "1/2", 5: "1/2", "½": "1/2", "+": "+-", "-": "-+", "−": "-+", Backspace: "", Delete: "",
};
const PLACES = { Digit1: "1-0", Digit0: "0-1", Digit5: "1/2" }; // where the digits themselves need Shift
const REFRESH = 10_000, AGAIN = 5_000, PATIENCE = 20_000, QUIET = 1_500; // milliseconds

const form = document.getElementById("sitting");
const words = form.dataset;
const byId = (id) => document.getElementById(id);
const boards = () => [...form.querySelectorAll("fieldset.board")];
const boardOf = (number) => form.querySelector(`fieldset.board[data-board="${number}"]`);
const inHand = () => document.activeElement?.closest("fieldset.board") ?? null;
const hasMouse = matchMedia("(pointer: fine)").matches;
const isShown = (board) => board.getClientRects().length > 0;
const isOpen = (board) => !("decided" in board.dataset) && !wishes.has(board.dataset.board);

// --- the boards -----------------------------------------------------------------------------------------------------
const keysOf = (board) => [...board.querySelectorAll("input[type=radio]")];
const chosen = (board) => keysOf(board).find((key) => key.checked);

/** One stop for Tab: the chosen result, or the first. */
function rove(board) {
  const stop = chosen(board) ?? keysOf(board)[0];
  for (const key of keysOf(board)) key.tabIndex = key === stop ? 0 : -1;
  for (const other of board.querySelectorAll("summary, [popovertarget]")) other.tabIndex = -1;
}

function goTo(board) {
  const key = board && (chosen(board) ?? keysOf(board)[0]);
  if (!key) return;
  const more = key.closest("details");
  if (more) more.open = true;
  key.focus({ preventScroll: true });
  board.scrollIntoView({ block: "nearest" });
}

function choose(board, result) {
  for (const key of keysOf(board)) key.checked = key.value === result && result !== "";
  rove(board);
}

/** The shown board before or after this one. */
function neighbour(board, step) {
  const shown = boards().filter(isShown);
  return shown[shown.indexOf(board) + step] ?? null;
}

/** The next open board, from the first again after the last; null where none is. */
function nextOpen(board) {
  const all = boards();
  const place = all.indexOf(board);
  return [...all.slice(place + 1), ...all.slice(0, place)].find(isOpen) ?? null;
}

/** A board as the server drew it in place of the one shown. */
function put(number, html) {
  const old = byId(`board-${number}`);
  if (!old) return;
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  const fresh = holder.content.firstElementChild;
  const had = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceWith(fresh);
  if (!fresh.matches("fieldset")) return;
  rove(fresh);
  if (had?.closest("details")) fresh.querySelector("details").open = true;
  const same = had && keysOf(fresh).find((key) => key.value === had.value && key.offsetParent);
  if (had) (same ?? chosen(fresh) ?? keysOf(fresh)[0]).focus({ preventScroll: true });
}

function say(board, text, kind, reason = "") {
  const state = board.querySelector(".state");
  board.dataset.state = kind;
  state.textContent = reason ? `${text}: ${reason} ` : text;
  if (kind !== "unsaved") return;
  const retry = document.createElement("button");
  Object.assign(retry, { type: "button", className: "button", textContent: words.retry });
  retry.dataset.do = "retry";
  state.append(retry);
}

// --- sending --------------------------------------------------------------------------------------------------------
const wishes = new Map(); // board → what was chosen there, for which game, and is not saved yet
let isSending = false;
let answers = 0; // how many boards were answered for: what was drawn before the last of them is old
let timer = 0;

function wish(board, result, score) {
  const { board: number, game } = board.dataset;
  const select = board.querySelector("[data-stones]");
  const isMoved = Boolean(select) && !select.selectedOptions[0].defaultSelected;
  const stands = score === undefined && board.dataset.result === result && !wishes.has(number) && !isMoved;
  const waiting = wishes.get(number);
  if (waiting && waiting.game === game && !waiting.refused) {
    // A result and a score of one board belong together until both are saved.
    if (score !== undefined) result ||= waiting.result;
    else if (result) score = waiting.score;
  }
  choose(board, result);
  if (stands && !board.matches(".stale")) return;
  wishes.set(number, { result, score, stones: select?.value ?? "", game, refused: false });
  say(board, words.saving, "saving");
  tellUnsent();
  send();
}

async function send() {
  if (isSending) return;
  isSending = true;
  clearTimeout(timer);
  for (let next; (next = [...wishes].find(([, wanted]) => !wanted.refused)); ) {
    if (!(await save(...next))) {
      timer = setTimeout(send, AGAIN);
      break;
    }
  }
  isSending = false;
  tellUnsent();
  setTimeout(refresh, QUIET); // a result may put marks on other boards
}

/** Sends one board; false where there is no answer and it has to be tried again. */
async function save(number, wanted) {
  const board = boardOf(number);
  if (!board) return wishes.delete(number);
  // The game he saw: in a match the next one may have taken the board meanwhile.
  const game = Number(wanted.game);
  const day = form.elements.played_on?.value ?? "";
  const { result, score, stones } = wanted;
  const asked = { game, revision: Number(board.dataset.revision), result, score, played_on: day, stones };
  const answer = await ask("", { method: "POST", body: JSON.stringify(asked) });
  if (!answer || answer.status >= 500) {
    for (const [each, waiting] of wishes) {
      if (!waiting.refused) say(boardOf(each), words.unsaved, "unsaved", words.offline);
    }
    return false;
  }
  const told = await contents(answer);
  answers += 1;
  if (told?.boards) saved(number, wanted, answer, told);
  else refuse(number, wanted, told?.words ?? (answer.status === 404 ? words.gone : words.signedOut));
  return true;
}

function saved(number, wanted, answer, told) {
  const later = wishes.get(number);
  for (const [each, html] of Object.entries(told.boards)) put(each, html);
  tellProgress(told);
  // Typed over meanwhile: the later key is sent next. Not after a refusal: what it would replace was not seen.
  if (later === wanted || !answer.ok || !boardOf(number)) return wishes.delete(number);
  choose(boardOf(number), later.result);
  say(boardOf(number), words.saving, "saving");
}

function refuse(number, wanted, reason) {
  wanted.refused = wishes.get(number) === wanted;
  say(boardOf(number), words.unsaved, "unsaved", reason);
}

function retry() {
  for (const [number, wanted] of wishes) {
    wanted.refused = false;
    say(boardOf(number), words.saving, "saving");
  }
  send();
}

/** A request to the round's boards; null where no answer came. */
async function ask(query, options = {}) {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? form.elements.csrfmiddlewaretoken.value;
  const headers = { "X-CSRFToken": token, "Content-Type": "application/json", ...options.headers };
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    return await fetch(words.url + query, { redirect: "manual", cache: "no-store", ...options, headers, signal });
  } catch {
    return null;
  }
}

/** What an answer says; null where it is none of ours, as the page to sign in. */
async function contents(answer) {
  try {
    return await answer.json();
  } catch {
    return null;
  }
}

// --- what stands above the boards -----------------------------------------------------------------------------------
let telling = 0;

function tellProgress(told) {
  byId("count").textContent = `${told.entered}/${told.games}`;
  byId("open").textContent = told.games - told.entered;
  for (const [key, score] of Object.entries(told.matches ?? {})) {
    const shown = byId(`match-score-${key}`);
    if (shown) shown.textContent = score;
  }
  byId("progress")?.setAttribute("aria-label", told.words);
  byId("progress")?.querySelector(".fill").setAttribute("width", told.entered);
  const todo = byId("todo");
  todo.hidden = !told.todo;
  if (told.todo) Object.assign(todo, { href: told.todo.url, textContent: told.todo.words });
  clearTimeout(telling);
  telling = setTimeout(() => (byId("told").textContent = told.words), QUIET);
}

/** Boards whose results did not get through. */
function tellUnsent() {
  const left = boards().filter((board) => board.dataset.state === "unsaved" && wishes.has(board.dataset.board));
  byId("unsent").hidden = !left.length;
  const numbers = left.map((board) => board.dataset.board).join(", ");
  byId("unsent").querySelector("span").textContent = `${words.unsent} ${numbers}.`;
}

// --- what others enter ----------------------------------------------------------------------------------------------
let etag = "";
let isAsking = false;

async function refresh() {
  if (document.hidden || isAsking || isSending) return;
  isAsking = true;
  const answer = await ask("", { headers: etag ? { "If-None-Match": etag } : {} });
  if (answer?.status === 404) tellGone();
  const told = answer?.ok ? await contents(answer) : null;
  if (told?.states) await takeIn(told.states, answer.headers.get("ETag") ?? "");
  isAsking = false;
}

async function takeIn(states, mark) {
  const changed = Object.entries(states).filter(([number, known]) => byId(`board-${number}`)?.dataset.known !== known);
  const wanted = changed.map(([number]) => number).filter((number) => byId(`board-${number}`));
  const before = answers;
  const answer = wanted.length ? await ask(`?boards=${wanted.filter(isUntouched).join(",")}`) : null;
  const told = answer?.ok ? await contents(answer) : null;
  if (!told || answers !== before) {
    etag = wanted.length ? "" : mark;
    return;
  }
  const free = Object.entries(told.boards).filter(([number]) => isUntouched(number));
  for (const [number, html] of free) put(number, html);
  if (free.length) tellProgress(told);
  etag = free.length === wanted.length ? mark : ""; // a board left alone now is asked for again
}

/** Neither in hand nor on its way, and no answer of ours is waited for. */
function isUntouched(number) {
  const board = byId(`board-${number}`);
  return board !== inHand() && !wishes.has(number) && !board.matches(".stale");
}

function tellGone() {
  clearInterval(refreshing);
  byId("told").textContent = words.gone;
}

// --- keys, fingers, and the way about -------------------------------------------------------------------------------
const COMMANDS = {
  ArrowDown: (board) => goTo(neighbour(board, 1)),
  j: (board) => goTo(neighbour(board, 1)),
  ArrowUp: (board) => goTo(neighbour(board, -1)),
  k: (board) => goTo(neighbour(board, -1)),
  ArrowRight: (board) => step(board, 1),
  ArrowLeft: (board) => step(board, -1),
  m: openMore,
  w: openAccidents,
  Enter: (board) => enter(board, document.activeElement.value),
  " ": (board) => enter(board, document.activeElement.value),
  g: askBoard,
  "#": askBoard,
  o: () => show(!isFiltered()),
  "?": showKeys,
};

/** Along the results of a board, without choosing one. */
function step(board, by) {
  const shown = keysOf(board).filter((key) => key.offsetParent);
  shown[shown.indexOf(document.activeElement) + by]?.focus();
}

function openMore(board) {
  const more = board.querySelector("details");
  more.open = true;
  more.querySelector("input").focus();
}

function openAccidents(board) {
  board.querySelector("[popover]")?.showPopover();
  board.querySelector("[popover] a")?.focus();
}

function askBoard() {
  byId("jump-to").focus();
  byId("jump-to").select();
}

function showKeys() {
  byId("keys").open = true;
  byId("keys").querySelector("summary").focus();
}

/** The page came with the open boards only. */
const isShort = () => new URLSearchParams(location.search).get("show") === "open";
const isFiltered = () => form.querySelector(".boards").classList.contains("only-open");

/** Open boards only, or all; the ones a short page lacks are fetched by its link. */
function show(onlyOpen) {
  if (!onlyOpen && isShort()) location.href = location.pathname;
  form.querySelector(".boards").classList.toggle("only-open", onlyOpen);
  for (const link of document.querySelectorAll("[data-show]")) {
    if ((link.dataset.show === "open") === onlyOpen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function press(event) {
  const board = inHand();
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.matches(".score")) return typeScore(event, board);
  if (!board || !event.target.matches("input")) return takeUp(event);
  const result = resultOf(event);
  const command = COMMANDS[event.key];
  if (result === undefined && !command) return;
  event.preventDefault();
  if (result === undefined) command(board);
  else if (!event.repeat) enter(board, result);
}

/** Both scores stand in one field: Enter saves them and leads to the next open board's. */
function typeScore(event, board) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  event.target.blur();
  (nextOpen(board) ?? board).querySelector(".score").focus();
}

const resultOf = (event) => RESULTS[event.key] ?? (event.shiftKey ? undefined : PLACES[event.code]);

let isBegun = false; // a board was in hand

/** With nothing in hand the arrow takes up the first open board, and so does the first result typed, on a tablet that
    has a keyboard too. Once a board was in hand and left, figures mean nothing until one is again. */
function takeUp(event) {
  if (document.activeElement !== document.body) return;
  const first = boards().find(isOpen);
  const result = isBegun ? undefined : resultOf(event);
  if (event.key === "ArrowDown") goTo(first ?? boards()[0]);
  else if (result && first) {
    goTo(first);
    enter(first, result);
  } else return;
  event.preventDefault();
}

function enter(board, result) {
  wish(board, result);
  if (result !== "") goTo(nextOpen(board) ?? board);
}

function pressButton(event) {
  const button = event.target.closest("[data-do]");
  const board = event.target.closest("fieldset.board");
  if (button?.dataset.do === "retry") retry();
  else if (["instead", "enter"].includes(button?.dataset.do)) enterInstead(board, button.dataset.result);
  else if (button?.dataset.do === "keep") keep(board);
  else if (board && !event.target.closest("a, summary, label, input, button")) goTo(board);
}

function enterInstead(board, result) {
  goTo(board);
  wish(board, result);
}

/** Leave what stands: the board is drawn anew, without the question. */
async function keep(board) {
  goTo(board);
  const answer = await ask(`?boards=${board.dataset.board}`);
  const told = answer?.ok ? await contents(answer) : null;
  for (const [number, html] of Object.entries(told?.boards ?? {})) put(number, html);
  goTo(nextOpen(boardOf(board.dataset.board)) ?? boardOf(board.dataset.board));
}

function jump(event) {
  event.preventDefault();
  const field = byId("jump-to");
  const number = Number.parseInt(field.value, 10) || 0;
  const board = boardOf(number);
  if (!board && number && isShort()) return location.assign(`${location.pathname}?to=${number}`);
  field.setCustomValidity(board ? "" : words.noBoard);
  if (!board) return field.reportValidity();
  field.value = "";
  if (!isShown(board)) show(false);
  goTo(board);
}

form.classList.add("live");
document.body.classList.add("live");
byId("by-hand").hidden = true;
byId("by-key").hidden = false;
boards().forEach(rove);
// What was chosen before this script was there is saved now: the form's own button is hidden.
for (const board of boards()) {
  const result = chosen(board)?.value ?? board.dataset.result;
  if (result !== board.dataset.result && !board.matches(".stale")) wish(board, result);
}
document.addEventListener("keydown", press);
form.addEventListener("click", pressButton);
form.addEventListener("focusin", ({ target }) => (isBegun ||= Boolean(target.closest("fieldset.board"))));
form.addEventListener("change", ({ target }) => {
  if (target.matches(".score")) wish(target.closest("fieldset.board"), "", target.value);
  if (target.matches("[data-stones]")) {
    const { board: number, result } = target.closest("fieldset.board").dataset;
    wish(boardOf(number), wishes.get(number)?.result ?? result);
  }
  if (target.type !== "radio") return;
  const board = target.closest("fieldset.board");
  // The other results lie open under the mouse until the board is left; under a finger the page must not move.
  if (target.closest("details") && hasMouse) enter(board, target.value);
  else wish(board, target.value);
});
// The boards save themselves; the form is for moving them to another day.
form.addEventListener("submit", (event) => form.elements.move_day?.checked || event.preventDefault());
document.querySelector(".jump").addEventListener("submit", jump);
byId("jump-to").addEventListener("input", () => byId("jump-to").setCustomValidity(""));
for (const link of document.querySelectorAll("[data-show]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    show(link.dataset.show === "open");
  });
}
byId("unsent").querySelector("button").addEventListener("click", retry);
addEventListener("online", retry);
addEventListener("beforeunload", (event) => wishes.size && event.preventDefault());
const refreshing = setInterval(refresh, REFRESH);
document.addEventListener("visibilitychange", refresh);
// A link to a board leads into it, once the browser has been there itself: it would take the focus away again.
const aim = byId(location.hash.slice(1));
if (hasMouse && aim?.matches("fieldset.board")) addEventListener("load", () => setTimeout(() => goTo(aim)));
else if (hasMouse && !location.hash) goTo(boards().find(isOpen));
