// What is quicker with a script; every link works without it.
"use strict";
document.documentElement.classList.add("scripts");

const here = document.body.dataset.collection;
const stored = (name) => JSON.parse(localStorage.getItem(`relsent:${here}:${name}`) || "[]");
const store = (name, some) => localStorage.setItem(`relsent:${here}:${name}`, JSON.stringify(some));

// "/" goes to the search field, j and k from hit to hit, Escape closes what is open.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    const line = event.target.closest(".hit, .lines > li") || document;
    const open = event.target.closest(".part") || line.querySelector(".part");
    if (event.target.closest("input")) event.target.blur();
    else if (open) close(open);
    return;
  }
  if (event.target.closest("input, textarea, select")) return;
  if (event.key === "/") {
    const field = document.querySelector("input[type=search], main input");
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  } else if (event.key === "j" || event.key === "k") {
    const hits = [...document.querySelectorAll("main > .hits > .hit, .lines > li")];
    const at = hits.findIndex((hit) => hit.contains(document.activeElement));
    const next = hits[event.key === "j" ? at + 1 : Math.max(at, 1) - 1];
    const link = next && next.querySelector("a");
    if (link) link.focus();
  }
});

// A link with data-part opens in its place, and closes again. A busy server says when to try again.
async function part(address) {
  const url = new URL(address, location.href);
  url.searchParams.set("part", "1");
  let answer = await fetch(url);
  for (let tries = 3; answer.status === 503 && tries; tries -= 1) {
    const seconds = Number(answer.headers.get("Retry-After")) || 5;
    await new Promise((go) => { setTimeout(go, 1000 * seconds); });
    answer = await fetch(url);
  }
  if (!answer.ok) throw new Error(answer.status);
  const box = document.createElement("div");
  box.className = "part";
  box.innerHTML = await answer.text();
  showKept(box);
  return box;
}

function open(link, box) {
  link.parentElement.after(box);
  link.box = box;
  box.opener = link;
  link.setAttribute("aria-expanded", "true");
}

function close(box) {
  box.remove();
  if (!box.opener) return;
  box.opener.setAttribute("aria-expanded", "false");
  box.opener.focus();
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-part], a[data-near]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.box && link.box.isConnected) {
    close(link.box);
    return;
  }
  if (link.getAttribute("aria-busy")) return;
  link.setAttribute("aria-busy", "true");
  try {
    open(link, link.box || (await part(link.href)));
  } catch {
    location.href = link.href;
  }
  link.removeAttribute("aria-busy");
});

// Copying, keeping, going back.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // not at this address
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy], button[data-link], button[data-keep]");
  if (button && button.dataset.keep) {
    const id = button.dataset.keep;
    const kept = stored("basket");
    store("basket", kept.includes(id) ? kept.filter((one) => one !== id) : [...kept, id].slice(-200));
    showKept(document);
  } else if (button) {
    const name = button.textContent;
    await copy(button.dataset.copy || new URL(button.dataset.link, location.href).href);
    button.textContent = "copied";
    setTimeout(() => { button.textContent = name; }, 1500);
  }
  const back = event.target.closest("a[data-back]");
  if (back && document.referrer === back.href) {
    event.preventDefault();
    history.back();
  }
});

function showKept(place) {
  const kept = stored("basket");
  for (const button of place.querySelectorAll("[data-keep]")) {
    const on = kept.includes(button.dataset.keep);
    button.setAttribute("aria-pressed", String(on));
    button.textContent = on ? "kept" : "keep";
  }
  const link = document.querySelector("[data-basket]");
  const ids = kept.map((id) => `id=${encodeURIComponent(id)}`).join("&");
  link.href = ids ? `/basket?${ids}` : "/basket";
  link.textContent = kept.length ? `Basket (${kept.length})` : "Basket";
}

// A form sends what is filled in.
document.addEventListener("submit", (event) => {
  for (const field of event.target.querySelectorAll("input, select")) {
    if (!field.value) field.disabled = true;
  }
});
addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("form :disabled")) field.disabled = false;
  showKept(document);
});

// What was asked lately, on the first page.
function remember() {
  const asked = new URLSearchParams(location.search);
  const words = asked.get("q") || [asked.get("a"), asked.get("b")].filter(Boolean).join(" · ");
  if (words && document.querySelector("form.ask")) {
    const to = location.pathname + location.search;
    const rest = stored("history").filter((one) => one.to !== to);
    store("history", [{ words, to }, ...rest].slice(0, 8));
  }
  const place = document.querySelector("[data-history]");
  if (!place || !stored("history").length) return;
  const list = document.createElement("ul");
  for (const one of stored("history")) {
    const link = document.createElement("a");
    link.textContent = one.words;
    link.href = one.to;
    list.append(document.createElement("li"));
    list.lastChild.append(link);
  }
  place.append(list);
  place.hidden = false;
}

// On a phone, what is beside an abstract and under its sentences stays closed; of a long one there
// is the beginning, and what stands around the sentence that led there.
const narrow = matchMedia("(max-width: 30rem)").matches;
const SHOWN = 8, AROUND = 2; // sentences
const HIGH = 2500; // pixels, of a page that is not shortened

function shorten() {
  for (const beside of document.querySelectorAll("aside details")) beside.open = false;
  const lines = [...document.querySelectorAll(".lines > li")];
  const at = lines.findIndex((line) => line.matches(".lit"));
  const rest = lines.filter((_, n) => n >= SHOWN && (at < 0 || Math.abs(n - at) > AROUND));
  if (document.documentElement.scrollHeight <= HIGH || !rest.length) return;
  for (const line of rest) line.hidden = true;
  const all = document.createElement("button");
  all.textContent = `all ${lines.length} sentences`;
  all.addEventListener("click", () => {
    for (const line of rest) line.hidden = false;
    all.remove();
  });
  document.querySelector(".lines").after(all);
  if (at >= 0) lines[at].scrollIntoView();
}
if (narrow) shorten();

// What is marked data-later comes when the page has been painted; then, one by one, the sentences
// that are related to each sentence that is shown.
addEventListener("load", async () => {
  remember();
  for (const place of narrow ? [] : document.querySelectorAll("[data-later]")) {
    part(place.dataset.later).then((box) => place.replaceChildren(box), () => {});
  }
  for (const link of document.querySelectorAll(".related [data-near], li:not([hidden]) [data-near]")) {
    try {
      const box = await part(link.dataset.near);
      const count = box.querySelectorAll(".hit").length;
      if (!count) continue;
      link.firstChild.textContent = `related (${count})`;
      const all = document.createElement("a");
      all.href = link.href;
      all.textContent = "all related sentences →";
      const line = document.createElement("p");
      line.className = "about";
      line.append(all);
      box.append(line);
      if (narrow) link.box = box;
      else open(link, box);
    } catch {
      return;
    }
  }
});
