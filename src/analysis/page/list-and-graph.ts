/**
 * The style sheet of a page that shows items as a list and as a graph, in the system's light or
 * dark mode. It contains no `<`, `>` or `&`.
 *
 * The list is `.blocks li[data-id]`, with the status as its first class; the graph has `.node` and
 * `.link`.
 */
export const listAndGraphStyle = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1e21; --soft: #666e78; --line: #d0d5db; --changed: #cfe2ff; --todo: #ffe0b3; --touched: #d4edda; --broken: #f8d0d0; --mark: #0a58ca; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #e6e8ea; --soft: #9aa3ad; --line: #3a4048; --changed: #173a66; --todo: #5c3d0c; --touched: #1d4427; --broken: #5c1f1f; --mark: #78aefc; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header { position: sticky; top: 0; z-index: 1; padding: .6rem 1rem; background: var(--paper); border-bottom: 1px solid var(--line); }
h1 { font-size: 1.15rem; margin: 0; } h2 { font-size: 1rem; margin: 1rem 0 .4rem; } p { margin: .2rem 0; }
main { padding: 0 1rem 2rem; }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; margin-top: .4rem; }
input[type=search] { flex: 1 1 14rem; max-width: 26rem; font: inherit; padding: .25rem .5rem; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 5px; }
label { padding: .1rem .5rem; border-radius: 5px; border: 1px solid var(--line); }
button { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 5px; padding: .15rem .5rem; cursor: pointer; }
ol { list-style: none; margin: 0; padding: 0; } .blocks ul { margin: 0; padding-left: 1.4rem; color: var(--soft); }
.blocks li[data-id] { padding: .25rem .5rem; border-left: 4px solid var(--line); margin: .2rem 0; overflow-wrap: anywhere; }
.mark { display: inline-block; width: 1.2em; text-align: center; } .place, .head, output { color: var(--soft); }
.graph { overflow: auto; border: 1px solid var(--line); border-radius: 6px; max-height: 80vh; }
svg { display: block; font: 12px system-ui, sans-serif; } svg text { fill: var(--ink); } svg text.place, svg text.head { fill: var(--soft); font-size: 10.5px; }
.node { cursor: pointer; } .node rect { fill: var(--paper); stroke: var(--line); }
.link { fill: none; stroke: var(--soft); stroke-opacity: .55; } .faded { opacity: .15; } .link.lit { stroke: var(--mark); stroke-opacity: 1; stroke-width: 1.8; }
[hidden] { display: none; }
.chosen { outline: 2px solid var(--mark); outline-offset: 1px; } .node.chosen rect { stroke: var(--mark); stroke-width: 2; } .node.chosen { outline: none; }
:focus-visible { outline: 2px solid var(--mark); outline-offset: 1px; }
`;

/**
 * The script of a page that shows items as a list and as a graph. It filters by words, by status (a
 * checkbox for each class), by the change that they come from (`.changes button`), and by a
 * selected item. It contains no `<` or `&`, so that it is the same in HTML and XML.
 *
 * Keys: `/` focuses the filter, arrows and `j`, `k` move, Enter selects, Escape shows all items.
 * The `<details>` of an item opens with it.
 */
export const listAndGraphScript = `
"use strict";
const all = (selector) => Array.from(document.querySelectorAll(selector));
const form = document.forms[0];
const fields = form.elements;
const items = all(".blocks li[data-id]");
const nodes = all(".node");
const links = all(".link");
const buttons = all(".changes button");
const ways = new Map();
for (const link of links) {
  for (const [one, other, side] of [[link.dataset.a, link.dataset.b, "down"], [link.dataset.b, link.dataset.a, "up"]]) {
    if (!ways.has(one)) ways.set(one, { up: [], down: [] });
    ways.get(one)[side].push(other);
  }
}
let chosen;
let change;

function reach(id, side, found) {
  const left = [id];
  while (left.length !== 0) {
    const at = left.pop();
    if (found.has(at)) continue;
    found.add(at);
    left.push(...(ways.get(at)?.[side] ?? []));
  }
}

function show() {
  const words = fields.words.value.toLowerCase().split(" ").filter((word) => word !== "");
  const near = new Set();
  if (chosen !== undefined) {
    reach(chosen, "up", near);
    near.delete(chosen);
    reach(chosen, "down", near);
  }
  const isWanted = (element, id, standing) => {
    if (fields[standing] !== undefined ? !fields[standing].checked : false) return false;
    if (chosen !== undefined ? !near.has(id) : false) return false;
    const text = (id + " " + element.textContent).toLowerCase();
    return words.every((word) => text.includes(word));
  };
  let shown = 0;
  for (const item of items) {
    const standing = item.classList[0];
    const isOfChange = change === undefined || item.dataset.from === change;
    item.hidden = !(isOfChange ? isWanted(item, item.dataset.id, standing) : false);
    item.classList.toggle("chosen", item.dataset.id === chosen);
    if (!item.hidden) shown += 1;
  }
  const visible = new Set();
  const listed = new Set(items.filter((item) => !item.hidden).map((item) => item.dataset.id));
  for (const id of listed) reach(id, "up", visible);
  const isAll = words.length === 0 ? chosen === undefined ? change === undefined : false : false;
  for (const node of nodes) {
    const { id } = node.dataset;
    const standing = node.classList[1];
    const isLit = listed.has(id) || visible.has(id) || id === chosen || (isAll ? standing === "changed" : false);
    node.classList.toggle("faded", !isLit);
    node.classList.toggle("chosen", id === chosen);
  }
  for (const link of links) {
    const { a, b } = link.dataset;
    const isLit = chosen === undefined ? false : near.has(a) ? near.has(b) : false;
    link.classList.toggle("lit", isLit);
    link.classList.toggle("faded", chosen !== undefined ? !isLit : !(visible.has(a) ? visible.has(b) : false));
  }
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.change === change));
  fields.shownCount.value = shown === items.length ? "" : shown + " of " + items.length + " shown";
}

function choose(id) {
  chosen = chosen === id ? undefined : id;
  const details = items.find((item) => item.dataset.id === id)?.querySelector("details");
  if (details) details.open = chosen === id;
  show();
}

const isOwn = (event) => !(event.target instanceof Element ? event.target.closest("details") : false);
for (const item of items) {
  item.addEventListener("click", (event) => {
    if (isOwn(event)) choose(item.dataset.id);
  });
}
for (const node of nodes) {
  node.addEventListener("click", () => {
    choose(node.dataset.id);
    items.find((item) => item.dataset.id === chosen)?.scrollIntoView({ block: "nearest" });
  });
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" ? event.key !== " " : false) return;
    event.preventDefault();
    event.stopPropagation();
    choose(node.dataset.id);
  });
}
for (const button of buttons) {
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    change = change === button.dataset.change ? undefined : button.dataset.change;
    show();
  });
}
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => {
  chosen = undefined;
  change = undefined;
  setTimeout(show);
});
addEventListener("keydown", (event) => {
  const isTyping = event.target === fields.words;
  const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
  if (event.key === "Escape") {
    form.reset();
    document.activeElement?.blur();
  } else if (isTyping || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  } else if (event.key === "/") {
    event.preventDefault();
    fields.words.focus();
  } else if (event.key in steps) {
    const shown = items.filter((item) => !item.hidden);
    const at = shown.indexOf(document.activeElement?.closest(".blocks li[data-id]") ?? undefined);
    const next = shown[at === -1 ? 0 : Math.max(0, Math.min(shown.length - 1, at + steps[event.key]))];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  } else if (event.key === "Enter") {
    const id = isOwn(event) ? document.activeElement?.closest(".blocks li[data-id]")?.dataset.id : undefined;
    if (id !== undefined) choose(id);
  }
});
show();
`;
