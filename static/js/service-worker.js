// Keeps the last public pages a reader saw, for a hall without a line. KNOWN is written before this by the server.
// What is the reader's own, an officer's or a member's comes with "no-store" and is never kept; neither are its addresses.

const PAGES = "club-pages";
const FILES = "club-files";
const SHELL = "club-shell";
const MOST = 30; // of each, the oldest go first
const LASTS = 14 * 24 * 3600 * 1000; // then a page is as good as gone: a name may have been withdrawn since
const NEVER = /^\/([a-z-]+\/)?(admin|account|embed|members|mine|welcome)\//;

self.addEventListener("install", (event) => event.waitUntil(prepare().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && !NEVER.test(pathname)) event.respondWith(page(event, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(file(event));
});

async function prepare() {
  await caches.delete(SHELL);
  const shell = await caches.open(SHELL);
  await shell.addAll([...Object.values(KNOWN.offline), ...KNOWN.files]);
}

async function page(event, pathname) {
  try {
    const answer = await fetch(event.request);
    const [kind, rule] = ["Content-Type", "Cache-Control"].map((name) => answer.headers.get(name));
    const isPublic = answer.status === 200 && /^text\/html/.test(kind) && !/no-store/.test(rule); // a page, no file
    if (isPublic && !event.request.url.includes("?part=")) event.waitUntil(keep(PAGES, event.request, answer.clone()));
    return answer;
  } catch {
    const kept = await (await caches.open(PAGES)).match(event.request, { ignoreVary: true });
    if (kept && isFresh(kept)) return dated(kept);
    return caches.match(KNOWN.offline[pathname.split("/")[1]] ?? KNOWN.offline.en, { ignoreVary: true });
  }
}

async function file(event) {
  const kept = await caches.match(event.request, { ignoreVary: true });
  if (kept) return kept; // a file's name changes with what is in it
  const answer = await fetch(event.request);
  if (answer.status === 200) event.waitUntil(keep(FILES, event.request, answer.clone()));
  return answer;
}

async function keep(name, request, answer) {
  const cache = await caches.open(name);
  await cache.delete(request, { ignoreVary: true });
  await cache.put(request, answer);
  const all = await cache.keys();
  await Promise.all(all.slice(0, Math.max(0, all.length - MOST)).map((old) => cache.delete(old)));
}

const isFresh = (answer) => Date.now() - Date.parse(answer.headers.get("Date")) < LASTS;

/** The page says from when it is (me.js writes it out). */
async function dated(kept) {
  const text = (await kept.text()).replace("<html ", `<html data-kept="${kept.headers.get("Date")}" `);
  return new Response(text, { status: 200, headers: kept.headers });
}

// --- notices: what the club sent, encrypted for this browser ---
self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, icon: KNOWN.icon, data: url }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});
