// "This is me": whose device this is, and whom its reader follows. It stands in this browser only; the pages are the
// same for everybody, and this file marks the reader's rows in them. Without it `/mine/?player=17` tells the same.

{
  const { mine: page, worker, you, then } = document.currentScript.dataset;
  const KEY = "club-me"; // { me: 17, follow: [3, 5], seen: { list, day, rating, was, since } }
  const locale = document.documentElement.lang.replace(/^en$/, "en-GB"); // the day before the month
  const MOST = 20; // people followed, as many as the page takes

  function kept() {
    try {
      return JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  }

  function keep(change) {
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...change }));
    } catch {} // a browser that keeps nothing
    show();
  }

  /** Take back what was kept: the name, the people, the pages for when there is no line, the notices. */
  async function forget() {
    try {
      localStorage.removeItem(KEY);
    } catch {}
    show();
    document.getElementById("mine")?.setAttribute("hidden", "");
    const names = (await globalThis.caches?.keys()) ?? [];
    await Promise.all(names.filter((name) => name.startsWith("club-")).map((name) => caches.delete(name)));
    const registered = await navigator.serviceWorker?.getRegistration("/");
    const subscription = await registered?.pushManager?.getSubscription();
    if (subscription) await unsubscribe(subscription).catch(() => {}); // no line: the push service tells the club
    await registered?.unregister();
    if (location.pathname === page) location.replace(page);
  }

  async function unsubscribe(subscription) {
    await subscription.unsubscribe();
    const text = await (await fetch(`${page}notices/`)).text();
    const form = new DOMParser().parseFromString(text, "text/html").getElementById("notices");
    const body = new FormData(form);
    body.set("off", 1);
    body.set("endpoint", subscription.endpoint);
    await fetch(form.action, { method: "POST", body });
  }

  /** The numbers of those a name links to: on the page of an event names lead to cards, which have another. */
  const numbersOf = (link) => (link.dataset.player ?? link.pathname.match(/\/players\/(\d+)/)?.[1] ?? "").split(" ");

  /** The reader's rows, on every list and table of the page; a screen reader says "you" after the name. */
  function mark() {
    const { me } = kept();
    for (const row of document.querySelectorAll(".me")) row.classList.remove("me");
    for (const word of document.querySelectorAll(".you")) word.remove();
    if (!me) return;
    for (const link of document.querySelectorAll("main a.name")) {
      if (!numbersOf(link).includes(String(me))) continue;
      link.closest("tr, li, .opponent")?.classList.add("me");
      const word = document.createElement("span");
      word.className = "you hidden";
      word.textContent = `, ${you}`;
      link.append(word);
    }
  }

  /** The buttons of a player's page say how things stand. */
  function choose() {
    const { me, follow = [] } = kept();
    for (const box of document.querySelectorAll("[data-choices]")) {
      const number = Number(box.dataset.choices);
      const part = (name) => box.querySelector(`[data-does=${name}]`);
      const isMe = number === me;
      part("me")?.toggleAttribute("hidden", isMe);
      part("forget").hidden = number ? !isMe : !me && !follow.length;
      box.hidden = !number && part("forget").hidden;
      const star = part("follow");
      if (star) {
        star.hidden = isMe;
        star.setAttribute("aria-pressed", follow.includes(number));
      }
      box.querySelector("[role=status]")?.toggleAttribute("hidden", !isMe && !follow.includes(number));
    }
  }

  function press(event) {
    const does = event.target.closest?.("[data-does]");
    if (!does) return;
    event.preventDefault();
    const number = Number(does.closest("[data-choices]").dataset.choices);
    const { follow = [] } = kept();
    if (does.dataset.does === "me") keep({ me: number, seen: undefined });
    else if (does.dataset.does === "forget") forget();
    else if (follow.includes(number)) keep({ follow: follow.filter((other) => other !== number) });
    else keep({ follow: [...follow, number].slice(-MOST) });
  }

  /** On Tonight: the reader's board first. The rating of an earlier day goes along, so that its change can be told. */
  async function fill() {
    const place = document.querySelector("#mine[hidden]");
    const { me, follow = [], seen = {} } = kept();
    // The form of an entry begins with its reader, unless somebody else was asked for.
    if (me && !location.search && document.querySelector("[data-enter-as-me]")) location.replace(`?player=${me}#who`);
    if (!place || (!me && !follow.length)) return;
    const today = new Date().toLocaleDateString("sv"); // 2026-03-14
    const [was, since] = seen.day === today ? [seen.was, seen.since] : [seen.rating, seen.day];
    const asked = new URLSearchParams({ follow });
    if (me) asked.set("player", me);
    if (since) for (const [name, value] of Object.entries({ was, since, list: seen.list })) asked.set(name, value);
    try {
      const answer = await fetch(`${page}?${asked}`, { cache: "no-store" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("mine");
      if (!answer.ok || !fresh?.dataset) return;
      place.replaceWith(fresh);
      document.querySelector("[data-stranger]")?.remove();
      const { list, rating } = fresh.dataset;
      if (list) keep({ seen: { list, rating: Number(rating), day: today, ...(list === (seen.list ?? list) && { was, since }) } });
      else show();
    } catch {} // no line: the page is complete without
  }

  /** Only a device that knows its reader, or has the site among its apps, keeps pages for when there is no line. */
  function keepPages() {
    const { me, follow = [] } = kept();
    if (me || follow.length || matchMedia("(display-mode: minimal-ui)").matches)
      navigator.serviceWorker?.register(worker).catch(() => {}); // a browser that may not
  }

  /** A page that was kept says from when it is. */
  function date() {
    const seen = document.documentElement.dataset.kept;
    if (!seen) return;
    const words = Object.assign(document.createElement("p"), { className: "message gap-below" });
    const format = { dateStyle: "short", timeStyle: "short" };
    words.setAttribute("role", "status");
    words.textContent = `${then} ${new Date(seen).toLocaleString(locale, format)}`;
    document.getElementById("main").prepend(words);
  }

  /** On paper every page says what it is from, and of which day (club.css). */
  function label() {
    const today = new Date().toLocaleDateString(locale, { dateStyle: "long" });
    document.documentElement.dataset.running = `${document.title} · ${today}`;
  }

  function show() {
    mark();
    choose();
    keepPages();
  }

  document.addEventListener("click", press);
  document.addEventListener("club:renewed", mark); // parts of the page came anew (live.js)
  show();
  date();
  label();
  fill();
}
