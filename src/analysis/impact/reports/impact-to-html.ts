import { type ColumnLayout, curveOf, layOutColumns, nodeSize } from "../../page/column-layout.ts";
import { cut, cutLeft, escapeHtml as escaped, htmlPage } from "../../page/html-page.ts";
import { listAndGraphScript, listAndGraphStyle } from "../../page/list-and-graph.ts";
import { count, printCoverage } from "../impact-coverage.ts";
import { type AffectedView, type ChangeView, countStatus, type ImpactView, printBlock } from "../impact-view.ts";
import { drawImpact, type ImpactDrawing, type ImpactLink, type ImpactNode } from "./impact-links.ts";

/** The most affected blocks to draw; all are listed. */
const maxDrawn = 150;

/**
 * The impact as a self-contained page: no library, no network, no other file. It lists all affected
 * blocks and draws the 150 likeliest. It follows the system's light or dark mode; each block of the
 * list and the graph can be reached by keyboard.
 *
 * It is also well-formed as XML.
 */
export function toImpactHtml(view: ImpactView): string {
  const counts = [
    ["to-do", `${countStatus(view, "to-do").toLocaleString("en")} to do`],
    ["touched", `${countStatus(view, "touched").toLocaleString("en")} done`],
    ["possible", `${countStatus(view, "possible").toLocaleString("en")} possible`],
  ] as const;
  const checkbox = ([status, text]: (typeof counts)[number]) =>
    `<label class="${status}"><input type="checkbox" name="${status}"${status === "possible" ? "" : ' checked="checked"'} /> ${text}</label>`;
  const body = `<header>
<h1>What a change may affect</h1>
<p>${count(view.changes.length, "change")} between ${escaped(view.between)}. Blocks from ${Math.round(view.minLikelihood * 100)} % on are to do.</p>
<form role="search" aria-label="Filter">
<input type="search" name="words" placeholder="Filter by name or file ( / )" aria-label="Filter by name or file" />
${counts.map(checkbox).join("\n")}
<button type="reset">Show all</button>
<output name="shownCount" aria-live="polite"></output>
</form>
</header>
<main>
<section aria-labelledby="changes-title">
<h2 id="changes-title">Changes</h2>
<ol class="changes">
${view.changes.map(changeItem).join("\n")}
</ol>
</section>
<section aria-labelledby="blocks-title">
<h2 id="blocks-title">Affected blocks</h2>
${view.affected.length === 0 ? "<p>No block is affected, as far as was looked at.</p>" : ""}
<ol class="blocks">
${view.affected.map(blockItem).join("\n")}
</ol>
</section>
<section aria-labelledby="graph-title">
<h2 id="graph-title">Ways</h2>
${graphOf(view)}
</section>
<section aria-labelledby="coverage-title">
<h2 id="coverage-title">Looked at</h2>
<ul>
${printCoverage(view.coverage)
  .map(
    ({ kind, text }) =>
      `<li class="${kind}">${kind === "gap" ? "<strong>Not whole:</strong> " : ""}${escaped(text)}</li>`,
  )
  .join("\n")}
</ul>
</section>
</main>`;
  return htmlPage({ title: `Impact: ${view.between}`, style: pageStyle, script: listAndGraphScript, body });
}

function changeItem(change: ChangeView, index: number): string {
  const { block, words, removedNames, addedNames, changedNames } = change;
  const names = [
    ...removedNames.map((name) => `<del>${escaped(name)}</del>`),
    ...addedNames.map((name) => `<ins>${escaped(name)}</ins>`),
    ...changedNames.map((name) => `<em>${escaped(name)}</em>`),
  ];
  return `<li><button type="button" data-change="${index}" data-id="${escaped(block.id)}"><b>${escaped(printBlock(block))}</b> <span class="place">${escaped(`${block.path}:${block.line}`)}</span> ${escaped(words)} ${names.join(" ")}</button></li>`;
}

const marks = { "to-do": "○", touched: "✓", possible: "·" } as const;

function blockItem(one: AffectedView): string {
  const { block, status, isBroken, likelihood, reasons, change } = one;
  const share = status === "touched" ? "" : ` <span class="share">${Math.round(likelihood * 100)} %</span>`;
  const reason = reasons.map((text) => `<li>${escaped(text)}</li>`).join("");
  const list = reason === "" ? "" : `<ul>${reason}</ul>`;
  const attributes = [
    `class="${status}${isBroken ? " broken" : ""}"`,
    `data-id="${escaped(block.id)}"`,
    ...(change === undefined ? [] : [`data-from="${change}"`]),
    'tabindex="-1"',
  ];
  return `<li ${attributes.join(" ")}><span class="mark" aria-hidden="true">${isBroken ? "✗" : marks[status]}</span>${share} <b>${escaped(printBlock(block))}</b> <span class="place">${escaped(`${block.path}:${block.line}`)}</span>${list}</li>`;
}

function graphOf(view: ImpactView): string {
  const drawing = drawImpact(view, { all: true, maxBlocks: maxDrawn });
  const layout = layOutImpact(drawing);
  const { width, height } = nodeSize;
  const links = layout.links.map((placed) => {
    const { from, to, relation } = placed.link;
    return `<path class="link" data-a="${escaped(from)}" data-b="${escaped(to)}" d="${curveOf(placed)}"><title>${escaped(relation)}</title></path>`;
  });
  const nodes = layout.nodes.map(({ node, x, y }) => {
    const { block } = node;
    const label = `${printBlock(block)}, ${block.path}:${block.line}, ${statusLabels[node.status]}`;
    return `<g class="node ${node.status}" data-id="${escaped(block.id)}" tabindex="0" role="button" aria-label="${escaped(label)}" transform="translate(${x} ${y})"><title>${escaped(label)}</title><rect width="${width}" height="${height}" rx="5"/><text x="8" y="14">${escaped(cut(block.name, 28))}</text><text class="place" x="8" y="27">${escaped(cutLeft(`${block.path}:${block.line}`, 32))}</text></g>`;
  });
  const heads = layout.columns.map(({ column: hops, x }) => {
    const text = hops === 0 ? "changed" : hops === 1 ? "one step away" : `${hops} steps away`;
    return `<text class="head" x="${x}" y="18">${text}</text>`;
  });
  const left =
    drawing.omitted === 0
      ? ""
      : `<p>${count(drawing.omitted, "less likely block")} are not drawn; the list has them all.</p>`;
  return `${left}<div class="graph"><svg width="${layout.width}" height="${layout.height}" viewBox="0 0 ${layout.width} ${layout.height}" role="group" aria-label="The ways from the changes to the affected blocks">
<g>${heads.join("")}</g>
<g>${links.join("\n")}</g>
<g>${nodes.join("\n")}</g>
</svg></div>`;
}

const statusLabels: Readonly<Record<ImpactNode["status"], string>> = {
  changed: "changed",
  "to-do": "to do",
  touched: "affected and changed",
  possible: "possible",
  passed: "on the way",
};

/** Lays a drawing out in columns by hops. */
export function layOutImpact(drawing: ImpactDrawing): ColumnLayout<ImpactNode, ImpactLink> {
  return layOutColumns(drawing, { idOf: ({ block }) => block.id, columnOf: ({ hops }) => hops });
}

/**
 * The style sheet of the page. It contains no `<`, `>` or `&`, so that it is the same in HTML and
 * XML.
 */
export const pageStyle = `${listAndGraphStyle}
label.to-do { background: var(--todo); } label.touched { background: var(--touched); }
.changes button { width: 100%; text-align: left; border: 0; } .changes button[aria-pressed=true] { background: var(--changed); }
.blocks li.to-do { border-color: var(--todo); } .blocks li.touched { border-color: var(--touched); } .blocks li.broken { border-color: var(--broken); }
.share { font-variant-numeric: tabular-nums; }
ins { text-decoration: none; } ins::before { content: "+"; } em { font-style: normal; } em::before { content: "~"; }
.gap strong { color: var(--mark); }
.node.changed rect { fill: var(--changed); } .node.to-do rect { fill: var(--todo); } .node.touched rect { fill: var(--touched); } .node.possible rect, .node.passed rect { stroke-dasharray: 4 3; }
`;
