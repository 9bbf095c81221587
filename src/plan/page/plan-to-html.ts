import {
  curveOf,
  cut,
  cutLeft,
  escapeHtml as escaped,
  htmlPage,
  layOutColumns,
  listAndGraphScript,
  listAndGraphStyle,
  nodeSize,
} from "../../analysis/index.ts";
import type { PlanView, StepLink, StepView, StepViewStatus, VerdictView } from "./plan-view.ts";
import { stepDepths } from "./step-depths.ts";
import { statusLabels } from "./step-words.ts";

/** The most steps that are drawn; the list contains all. */
const maxDrawn = 150;
/** The most links with visible labels; with more, a label is visible when its link is selected. */
const maxNamedLinks = 30;

/** The interval at which the page of a running plan is reloaded, in seconds. */
const reloadSeconds = 2;

/** How {@link toPlanHtml} differs from the page of a file. */
export interface PlanHtmlOptions {
  /** A style sheet after that of the page, without `<`, `>` and `&`. */
  readonly style?: string;
  /** Whether the graph comes before the list of steps. */
  readonly isGraphFirst?: boolean;
}

/**
 * A plan as one self-contained HTML page: no library, no network, no other file. It follows the
 * system's light or dark mode, and every step in the list and the graph can be reached by keyboard.
 * While the plan runs, the page is reloaded every two seconds and keeps its state.
 *
 * The page is well-formed XML, too.
 */
export function toPlanHtml(view: PlanView, { style = "", isGraphFirst = false }: PlanHtmlOptions = {}): string {
  const { plan, instruction, base, end, progress, tokens, steps } = view;
  const used = tokens.shown + tokens.written;
  const tokenUse = `The models read about ${count(tokens.shown, "token")} and wrote about ${tokens.written.toLocaleString("en")}.`;
  const list = `<div class="steps">
<section aria-labelledby="steps-title">
<h2 id="steps-title">Steps</h2>
${steps.length === 0 ? "<p>There are no steps yet.</p>" : ""}
<ol class="blocks">
${steps.map((step) => stepItem(step, view.links)).join("\n")}
</ol>
</section>
${verdictsOf(view.verdicts)}
</div>`;
  const drawn = `<section class="drawn" aria-labelledby="graph-title">
<h2 id="graph-title">Causes</h2>
${graphOf(view)}
</section>`;
  const body = `<header>
<h1>${escaped(instruction === undefined ? "Consequences of a change" : instruction)}</h1>
<p>${escaped(progress)}.${end === undefined ? " <strong>The plan is running.</strong>" : ` ${prose(end)}`}</p>
<p class="place">Plan ${escaped(plan)} on ${escaped(base.slice(0, 12))}.${used === 0 ? "" : ` ${tokenUse}`}</p>
<form role="search" aria-label="Filter">
<input type="search" name="words" placeholder="Filter by name, file or text ( / )" aria-label="Filter by name, file or text" />
${checkboxes(steps)}
<button type="reset">Show all</button>
<output name="shownCount" aria-live="polite"></output>
</form>
</header>
<main>
${(isGraphFirst ? [drawn, list] : [list, drawn]).join("\n")}
</main>`;
  const script = `${listAndGraphScript}${keepingScript}`;
  const title = `Plan ${plan}`;
  return htmlPage({ title, style: planStyle + style, script, body, ...(end === undefined && { reloadSeconds }) });
}

function checkboxes(steps: readonly StepView[]): string {
  const names = Object.keys(statusLabels) as readonly StepViewStatus[];
  const rows = names.flatMap((name) => {
    const number = steps.filter(({ status }) => status === name).length;
    const checked = name === "dropped" ? "" : ' checked="checked"';
    const text = `${number.toLocaleString("en")} ${statusLabels[name].words}`;
    return number === 0
      ? []
      : [`<label class="${name}"><input type="checkbox" name="${name}"${checked} /> ${text}</label>`];
  });
  return rows.join("\n");
}

function stepItem(step: StepView, links: readonly StepLink[]): string {
  const { id, status, block, round, likelihood, reasons, note, author, diff, proposals } = step;
  const { mark, words } = statusLabels[status];
  const share = status === "pending" ? `, ${Math.round(likelihood * 100)} %` : "";
  const from = links.filter(({ to }) => to === id);
  const ways = from.map((link) => `<li>from step ${link.from}: ${escaped(link.relation)}</li>`);
  const list = [...reasons.map((text) => `<li>${prose(text)}</li>`), ...ways].join("");
  const attributes = `class="${status}" data-id="${id}" id="step-${id}" tabindex="-1"`;
  return `<li ${attributes}><span class="mark" aria-hidden="true">${mark}</span> ${id}. <b>${escaped(block)}</b> <span class="place">${words}${share}, round ${round}${author === undefined ? "" : `, by ${escaped(author)}`}</span>${note === undefined ? "" : `<p class="note">${prose(note)}</p>`}${list === "" ? "" : `<ul>${list}</ul>`}${diff === undefined ? "" : foldedDiff("Diff", diff)}${proposals.map((proposal) => foldedDiff("Proposed here", proposal)).join("")}</li>`;
}

/** A sentence as HTML, with the code between backticks as code. */
function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function foldedDiff(title: string, diff: string): string {
  return `<details><summary>${title}</summary><pre tabindex="0">${diff.trimEnd().split("\n").map(diffRow).join("\n")}</pre></details>`;
}

function diffRow(row: string): string {
  if (row.startsWith("+") && !row.startsWith("+++")) return `<span class="added">${escaped(row)}</span>`;
  if (row.startsWith("-") && !row.startsWith("---")) return `<span class="removed">${escaped(row)}</span>`;
  return /^(@@|---|\+\+\+)/.test(row) ? `<span class="place">${escaped(row)}</span>` : escaped(row);
}

function verdictsOf(verdicts: readonly VerdictView[]): string {
  if (verdicts.length === 0) return "";
  const rows = verdicts.map(({ round, verifier, summary, findings, count: all }) => {
    const more = all > findings.length ? `<li>and ${count(all - findings.length, "other")}</li>` : "";
    const list = `<ul>${findings.map((text) => `<li>${escaped(text)}</li>`).join("")}${more}</ul>`;
    const found = all === 0 ? "" : `<details><summary>${count(all, "error")}</summary>${list}</details>`;
    return `<tr><td>${round === 0 ? "before" : `round ${round}`}</td><td><code>${escaped(verifier)}</code></td><td>${escaped(summary)}${found}</td></tr>`;
  });
  return `<section aria-labelledby="verdicts-title">
<h2 id="verdicts-title">Verification commands</h2>
<table>
<thead><tr><th scope="col">When</th><th scope="col">Command</th><th scope="col">Result</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</section>`;
}

function graphOf({ steps, links }: PlanView): string {
  if (steps.length === 0) return "<p>There are no steps yet.</p>";
  const depths = stepDepths(steps, links);
  const drawn = changedFirst(steps).slice(0, maxDrawn);
  const named = links.map(({ from, to, relation }) => ({ from: String(from), to: String(to), relation }));
  const layout = layOutColumns(
    { nodes: drawn, links: named },
    { idOf: ({ id }) => String(id), columnOf: ({ id }) => depths.get(id)! },
  );
  const { width, height } = nodeSize;
  const heads = layout.columns.map(({ column, x }) => {
    const text = column === 0 ? "start" : column === 1 ? "1 step later" : `${column} steps later`;
    return `<text class="head" x="${x}" y="18">${text}</text>`;
  });
  const ways = layout.links.map((placed) => {
    const { from, to, relation } = placed.link;
    const at = `x="${(placed.x1 + placed.x2) / 2}" y="${(placed.y1 + placed.y2) / 2 - 3}"`;
    return `<g class="link" data-a="${from}" data-b="${to}"><title>${escaped(relation)}</title><path d="${curveOf(placed)}"/><text class="place" text-anchor="middle" ${at}>${escaped(cut(relation, 20))}</text></g>`;
  });
  const nodes = layout.nodes.map(({ node: { id, status, block, name, path }, x, y }) => {
    const label = `Step ${id}, ${block}, ${statusLabels[status].words}`;
    return `<g class="node ${status}" data-id="${id}" tabindex="0" role="button" aria-label="${escaped(label)}" transform="translate(${x} ${y})"><title>${escaped(label)}</title><rect width="${width}" height="${height}" rx="5"/><text x="8" y="14">${statusLabels[status].mark} ${escaped(cut(`${id}. ${name}`, 26))}</text><text class="place" x="8" y="27">${escaped(cutLeft(path, 32))}</text></g>`;
  });
  const left = steps.length - drawn.length;
  return `${left === 0 ? "" : `<p>${count(left, "step")} are not drawn; the list contains all.</p>`}<div class="graph${layout.links.length > maxNamedLinks ? "" : " named"}"><svg width="${layout.width}" height="${layout.height}" viewBox="0 0 ${layout.width} ${layout.height}" role="group" aria-label="The steps and their causes">
<g>${heads.join("")}</g>
<g>${ways.join("\n")}</g>
<g>${nodes.join("\n")}</g>
</svg></div>`;
}

/**
 * The steps in order. When there are too many to draw, those that changed something or are open
 * come first.
 */
function changedFirst(steps: readonly StepView[]): readonly StepView[] {
  if (steps.length <= maxDrawn) return steps;
  const isUnchanged = ({ status }: StepView) => status === "unchanged" || status === "dropped";
  return [...steps.filter((step) => !isUnchanged(step)), ...steps.filter(isUnchanged)];
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

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
