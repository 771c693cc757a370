// What is quicker with a script; every link works without it.
"use strict";
document.documentElement.classList.add("scripts");

// "/" goes to the search field.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) return;
  const field = document.querySelector("input[type=search], main input");
  if (field) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});

// A link with data-part opens in its place, and closes again.
async function part(address) {
  const url = new URL(address, location.href);
  url.searchParams.set("part", "1");
  const answer = await fetch(url);
  const box = document.createElement("div");
  box.className = "part";
  if (!answer.ok) throw new Error(answer.status);
  box.innerHTML = await answer.text();
  return box;
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-part]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const next = link.parentElement.nextElementSibling;
  if (next && next.classList.contains("part")) {
    next.remove();
    link.setAttribute("aria-expanded", "false");
    return;
  }
  if (link.getAttribute("aria-busy")) return;
  link.setAttribute("aria-busy", "true");
  try {
    link.parentElement.after(await part(link.href));
    link.setAttribute("aria-expanded", "true");
  } catch {
    location.href = link.href;
  }
  link.removeAttribute("aria-busy");
});

// What is marked data-later comes when the page has been painted; then, one by one, the sentences
// that are related to each.
addEventListener("load", async () => {
  for (const place of document.querySelectorAll("[data-later]")) {
    part(place.dataset.later).then((box) => place.replaceChildren(box), () => {});
  }
  for (const link of document.querySelectorAll("[data-near]")) {
    try {
      const box = await part(link.dataset.near);
      const count = box.querySelectorAll(".hit").length;
      link.firstChild.textContent = count ? `related (${count})` : "related";
      if (count) link.parentElement.after(box);
    } catch {
      return;
    }
  }
});
