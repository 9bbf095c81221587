import { listAndGraphStyle } from "../../page/list-and-graph.ts";

/**
 * How the page of an impact looks. No `<`, `>` or `&` is in it, so that it means the same in HTML
 * and XML.
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
