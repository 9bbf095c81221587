import { listAndGraphStyle } from "../../codebase/index.ts";

/**
 * The style sheet of a plan's page. It contains no `<`, `>` or `&`, so that it has the same meaning
 * in HTML and XML.
 */
export const planStyle = `${listAndGraphStyle}
h1 { overflow-wrap: anywhere; max-height: 4.5em; overflow: auto; }
@media (min-width: 70rem) { main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.2rem; align-items: start; } .drawn { position: sticky; top: 8rem; } .graph { max-height: calc(100vh - 12rem); } }
label.changed, label.requested { background: var(--changed); } label.pending, label.obligation { background: var(--todo); } label.done { background: var(--touched); } label.rejected { background: var(--broken); }
.blocks li.changed, .blocks li.requested { border-color: var(--changed); } .blocks li.pending, .blocks li.obligation { border-color: var(--todo); } .blocks li.done { border-color: var(--touched); } .blocks li.rejected { border-color: var(--broken); }
.blocks li.dropped { color: var(--soft); text-decoration: line-through; }
.note { margin-left: 1.4rem; } summary { margin-left: 1.4rem; cursor: pointer; color: var(--mark); }
pre { margin: .3rem 0 .3rem 1.4rem; padding: .4rem .6rem; overflow: auto; max-height: 24rem; border: 1px solid var(--line); border-radius: 6px; font: 12.5px/1.4 ui-monospace, monospace; }
pre .added { background: var(--touched); } pre .removed { background: var(--broken); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .2rem .5rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; } th:first-child, td:first-child { white-space: nowrap; overflow-wrap: normal; } td:last-child { min-width: 9rem; }
.node.changed rect, .node.requested rect { fill: var(--changed); } .node.pending rect, .node.obligation rect { fill: var(--todo); } .node.done rect { fill: var(--touched); } .node.rejected rect { fill: var(--broken); } .node.unchanged rect, .node.dropped rect { stroke-dasharray: 4 3; }
.link text { stroke: none; opacity: 0; } .named .link text, .link.lit text, .link:hover text { opacity: 1; }
`;

/**
 * Restores the state of a page after it is reloaded: the filter, the selection, the checkboxes and
 * the scroll position. It contains no `<` or `&`.
 */
export const keepingScript = `
addEventListener("pagehide", () => {
  const off = all("form input[type=checkbox]").filter((box) => !box.checked).map((box) => box.name);
  const was = { words: fields.words.value, chosen, off, top: scrollY };
  // A browser may keep nothing of files.
  try { sessionStorage.setItem(document.title, JSON.stringify(was)); } catch {}
});
try {
  const was = JSON.parse(sessionStorage.getItem(document.title) ?? "null");
  if (was !== null) {
    fields.words.value = was.words;
    for (const box of all("form input[type=checkbox]")) if (was.off.includes(box.name)) box.checked = false;
    if (was.chosen !== undefined) choose(was.chosen);
    show();
    scrollTo(0, was.top);
  }
} catch {}
`;
