// The page that stands in without a line: what this device has of the site, rounds first, then what was seen last.

const list = document.getElementById("kept");
const isRound = (address) => /\/rounds\//.test(address);

async function titled(cache, { url }) {
  const answer = await cache.match(url, { ignoreVary: true });
  const title = new DOMParser().parseFromString(await answer.text(), "text/html").title;
  return { url, title, seen: new Date(answer.headers.get("Date")) };
}

async function show() {
  if (!globalThis.caches || !(await caches.has("club-pages"))) return;
  const cache = await caches.open("club-pages");
  const pages = await Promise.all((await cache.keys()).map((request) => titled(cache, request)));
  pages.sort((one, other) => isRound(other.url) - isRound(one.url) || other.seen - one.seen);
  for (const { url, title, seen } of pages) {
    const line = document.createElement("li");
    const link = Object.assign(document.createElement("a"), { href: url, className: "name", textContent: title });
    const time = Object.assign(document.createElement("time"), { dateTime: seen.toISOString() });
    time.textContent = seen.toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
    line.append(link, time);
    list.append(line);
  }
  document.getElementById("none").hidden = pages.length > 0;
}

show();
