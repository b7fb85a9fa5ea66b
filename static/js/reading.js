// The second reading: the same keys as at entry (results.js), one a board. Nothing is sent before "Save": the page stays the plain
// form it is without this file.

const RESULTS = { 1: "1-0", 0: "0-1", "=": "1/2", 5: "1/2", "½": "1/2", "+": "+-", "-": "-+", "−": "-+", Backspace: "", Delete: "" };
const PLACES = { Digit1: "1-0", Digit0: "0-1", Digit5: "1/2" }; // where the digits themselves need Shift
const resultOf = (event) => RESULTS[event.key] ?? (event.shiftKey ? undefined : PLACES[event.code]);
const form = document.getElementById("reading");
const boards = () => [...form.querySelectorAll("fieldset.board")];
const keysOf = (board) => [...board.querySelectorAll("input[type=radio][name^=read-]")];
const isRead = (board) => keysOf(board).some((key) => key.checked);
const toRead = () => boards().filter((board) => keysOf(board).length);

function goTo(board) {
  const keys = board ? keysOf(board) : [];
  (keys.find((key) => key.checked) ?? keys[0])?.focus({ preventScroll: true });
  board?.scrollIntoView({ block: "nearest" });
}

/** The next board nobody has read yet; behind the last the button that saves. */
function goOn(from) {
  const next = toRead().slice(toRead().indexOf(from) + 1).find((board) => !isRead(board));
  if (next) goTo(next);
  else form.querySelector("button").focus();
}

function read(board, code) {
  for (const key of keysOf(board)) key.checked = code !== "" && key.value === code;
  if (code !== "") goOn(board);
}

let isBegun = false; // a board was in hand
form?.addEventListener("focusin", ({ target }) => (isBegun ||= Boolean(target.closest("fieldset.board"))));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const result = resultOf(event);
  if (result === undefined) return;
  // On a tablet nothing is in hand before the first key.
  const isFirst = document.activeElement === document.body && !isBegun;
  const board = isFirst ? toRead().find((each) => !isRead(each)) : document.activeElement?.closest("fieldset.board");
  if (!board || !keysOf(board).length) return;
  event.preventDefault();
  if (!event.repeat) read(board, result); // a key held down is one board's
});

if (form && matchMedia("(pointer: fine)").matches) goTo(toRead().find((board) => !isRead(board)));
