import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { memo } from "preact/compat";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { nodeSize } from "../../../src/analysis/page/column-layout.ts";
import type { StepLink, StepView } from "../../../src/plan/page/plan-view.ts";
import { statusLabels, stepLabelOf } from "../../../src/plan/page/step-words.ts";
import type { StepId } from "../../../src/plan/plan-graph.ts";
import { fitText, textWidthOf } from "../look/fit-text.ts";
import { type GraphColumns, layOutGraph, type PlacedLink, stepWidth } from "./graph-layout.ts";
import { type Direction, relatedSteps, tryNavigate } from "./graph-navigation.ts";

interface GraphParts {
  readonly steps: readonly StepView[];
  readonly links: readonly StepLink[];
  readonly columns: Signal<GraphColumns>;
  readonly selected: StepId | undefined;
  readonly onSelect: (id: StepId | undefined) => void;
  /** Enter was pressed on the selected step. */
  readonly onOpen: () => void;
  /** Whether there are other steps, which a filter hides. */
  readonly isFiltered: boolean;
  /** Shown above the graph. */
  readonly summary: ComponentChildren;
}

/** With more links, only those of the selected step are drawn in full colour. */
const maxPlainLinks = 80;
/** The smallest automatic scale, below which the text is not readable. */
const leastScale = 0.7;

/**
 * The steps and their causes, in columns. Arrow keys follow the links, Enter opens a step, Escape
 * clears the selection, + and - zoom, 0 fits the graph into its frame.
 */
export function PlanGraph({
  steps,
  links,
  columns,
  selected,
  onSelect,
  onOpen,
  isFiltered,
  summary,
}: GraphParts): JSX.Element {
  const layout = useMemo(() => layOutGraph({ steps, links }, columns.value), [steps, links, columns.value]);
  const near = useMemo(
    () => (selected === undefined ? undefined : relatedSteps(layout.links, selected)),
    [layout, selected],
  );
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  /** `undefined` fits the graph into its frame. */
  const zoom = useSignal<number | undefined>(undefined);
  const fitting = Math.max(leastScale, Math.min(1, width / layout.width));
  const scale = zoom.value ?? fitting;
  const zoomTo = (to: number) => {
    zoom.value = Math.max(0.3, Math.min(2, to));
  };
  const isHeld = useRef(false);
  useEffect(() => {
    const node = selected === undefined ? undefined : frame.current?.querySelector(`[data-step="${selected}"]`);
    node?.scrollIntoView({ block: "nearest", inline: "nearest" });
    // The focus follows the selection while it is inside the graph.
    if (isHeld.current && node instanceof SVGElement) node.focus();
  }, [selected]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = directions[event.key];
    if (direction !== undefined) {
      const to = tryNavigate(layout, selected, direction);
      if (to !== undefined) onSelect(to);
    } else if (event.key === "Enter" || event.key === " ") onOpen();
    else if (event.key === "Escape") onSelect(undefined);
    else if (event.key === "+") zoomTo(scale * 1.25);
    else if (event.key === "-") zoomTo(scale / 1.25);
    else if (event.key === "0") zoom.value = undefined;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const first = layout.steps.some(({ node }) => node.id === selected) ? selected : steps[0]?.id;
  const relations = useMemo(() => relationsTo(layout.links, selected), [layout, selected]);
  return (
    <>
      <GraphTools
        columns={columns}
        scale={scale}
        zoomTo={zoomTo}
        fit={() => (zoom.value = undefined)}
        summary={summary}
      />
      <div class="graph-frame scroll" ref={frame}>
        {steps.length === 0 ? (
          <p class="graph-empty dim">{isFiltered ? "No step matches the filter." : "No steps yet."}</p>
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: A graph is not a fieldset.
          <svg
            class={`graph${layout.links.length > maxPlainLinks ? " crowded" : ""}`}
            width={layout.width * scale}
            height={layout.height * scale}
            viewBox={`0 0 ${layout.width} ${layout.height}`}
            role="group"
            aria-label="Steps and their causes"
            onKeyDown={onKeyDown}
            onFocusIn={() => {
              isHeld.current = true;
            }}
            onFocusOut={() => {
              isHeld.current = false;
            }}
          >
            <defs>
              <marker
                id="graph-link-end"
                viewBox="0 0 6 6"
                refX="5.5"
                refY="3"
                markerWidth="7"
                markerHeight="7"
                orient="auto"
              >
                <path d="M0 0 6 3 0 6Z" fill="context-stroke" />
              </marker>
            </defs>
            {layout.heads.map(({ x, text }) => (
              <text key={x} class="graph-head" x={x} y={18}>
                {text}
              </text>
            ))}
            <g>
              {layout.links.map((placed) => (
                <GraphLink
                  key={`${placed.link.from}-${placed.link.to}`}
                  placed={placed}
                  look={lookOf(placed.link, near, selected)}
                />
              ))}
            </g>
            <g>
              {layout.steps.map(({ node, x, y }) => (
                <StepNode
                  key={node.id}
                  {...{ step: node, x, y, onSelect }}
                  isSelected={node.id === selected}
                  isFirst={node.id === first}
                  isFar={near !== undefined && !near.has(node.id)}
                  relation={relations.get(node.id)}
                />
              ))}
            </g>
          </svg>
        )}
      </div>
    </>
  );
}

const directions: Readonly<Record<string, Direction>> = {
  ...{ ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" },
  ...{ j: "down", k: "up" },
};

interface ToolParts extends Pick<GraphParts, "columns" | "summary"> {
  readonly scale: number;
  readonly zoomTo: (scale: number) => void;
  readonly fit: () => void;
}

function GraphTools({ columns, summary, scale, zoomTo, fit }: ToolParts): JSX.Element {
  const percent = `${Math.round(scale * 100)} %`;
  return (
    <div class="graph-tools">
      <span class="graph-summary">{summary}</span>
      <div class="graph-columns" role="radiogroup" aria-label="Columns">
        <Columns columns={columns} name="depth" text="By cause" />
        <Columns columns={columns} name="round" text="By round" />
      </div>
      <span class="graph-zoom">
        <button type="button" class="button quiet icon-only" aria-label="Zoom out" onClick={() => zoomTo(scale / 1.25)}>
          −
        </button>
        <button type="button" class="button quiet" aria-label={`Zoom ${percent}, reset`} onClick={fit}>
          {percent}
        </button>
        <button type="button" class="button quiet icon-only" aria-label="Zoom in" onClick={() => zoomTo(scale * 1.25)}>
          +
        </button>
      </span>
    </div>
  );
}

function Columns({
  columns,
  name,
  text,
}: {
  readonly columns: Signal<GraphColumns>;
  readonly name: GraphColumns;
  readonly text: string;
}): JSX.Element {
  return (
    <label>
      <input
        type="radio"
        name="plan-columns"
        checked={columns.value === name}
        onChange={() => {
          columns.value = name;
        }}
      />
      {text}
    </label>
  );
}

type LinkLook = "plain" | "lit" | "far";

function lookOf({ from, to }: StepLink, near: ReadonlySet<StepId> | undefined, selected: StepId | undefined): LinkLook {
  if (near === undefined) return "plain";
  if (from === selected || to === selected) return "lit";
  return near.has(from) && near.has(to) ? "plain" : "far";
}

/**
 * The relation that each step shows: to the selected step where that caused it, or else to its
 * first cause. Beside the lines of the links, relations would lie on other lines.
 */
function relationsTo(links: readonly PlacedLink[], selected: StepId | undefined): ReadonlyMap<StepId, string> {
  const relations = new Map<StepId, string>();
  for (const { link } of links) {
    if (link.from === selected || !relations.has(link.to)) relations.set(link.to, printRelation(link.relation));
  }
  return relations;
}

const GraphLink = memo(
  ({ placed: { link, curve }, look }: { readonly placed: PlacedLink; readonly look: LinkLook }) => (
    <path class={`graph-link ${look}`} d={curve} marker-end="url(#graph-link-end)">
      <title>{`Step ${link.from} caused step ${link.to}: ${link.relation}`}</title>
    </path>
  ),
  (a, b) => a.look === b.look && a.placed.curve === b.placed.curve && a.placed.link.relation === b.placed.link.relation,
);

interface NodeParts {
  readonly step: StepView;
  readonly x: number;
  readonly y: number;
  readonly isSelected: boolean;
  /** Whether Tab moves the focus to this step. */
  readonly isFirst: boolean;
  readonly isFar: boolean;
  /** The relation to the cause of the step; `undefined` for a step without one. */
  readonly relation: string | undefined;
  readonly onSelect: (id: StepId) => void;
}

/** The width of the texts of a step. */
const textWidth = stepWidth - 40;
const placeFont = "10.5px";

const StepNode = memo(
  ({ step, x, y, isSelected, isFirst, isFar, relation, onSelect }: NodeParts) => {
    const { id, status, path, block } = step;
    const { mark, words } = statusLabels[status];
    const { height } = nodeSize;
    const cause = relation === undefined ? "" : `${relation} · `;
    const placeWidth = textWidth - textWidthOf(cause, placeFont);
    return (
      // biome-ignore lint/a11y/useSemanticElements: SVG has no button element.
      <g
        class={`step-node ${status}${isSelected ? " selected" : ""}${isFar ? " far" : ""}`}
        style={{ transform: `translate(${x}px, ${y}px)` }}
        data-step={id}
        role="button"
        // Attributes of SVG elements are case-sensitive.
        tabindex={isFirst ? 0 : -1}
        aria-pressed={isSelected}
        onClick={() => onSelect(id)}
      >
        <title>{`Step ${id}, ${block}, ${words}`}</title>
        <rect class="step-ground" width={stepWidth} height={height} rx="6" />
        <path class="step-side" d={`M6 .5H22V${height - 0.5}H6A5.5 5.5 0 0 1 .5 ${height - 6}V6A5.5 5.5 0 0 1 6 .5Z`} />
        <text class="step-mark" x="11" y={height / 2 + 4.5} text-anchor="middle">
          {mark}
        </text>
        <text class="step-label" x="29" y="14.5">
          {fitText(stepLabelOf(step), textWidth, "600 12px")}
        </text>
        <text class="step-place" x="29" y="27.5">
          {cause}
          {fitText(path, placeWidth, placeFont, "end")}
        </text>
      </g>
    );
  },
  (a, b) =>
    a.x === b.x &&
    a.y === b.y &&
    a.isSelected === b.isSelected &&
    a.isFirst === b.isFirst &&
    a.isFar === b.isFar &&
    a.relation === b.relation &&
    a.step.status === b.step.status &&
    a.step.block === b.step.block,
);

function useWidth(element: { readonly current: HTMLElement | null }): number {
  const width = useSignal(800);
  useEffect(() => {
    const watching = new ResizeObserver(([entry]) => {
      width.value = Math.floor(entry!.contentRect.width);
    });
    watching.observe(element.current!);
    return () => watching.disconnect();
  }, [element, width]);
  return width.value;
}

/** A relation for people; of several, the first and the number of others: `called by +2`. */
function printRelation(relation: string): string {
  const [first = "", ...others] = relation.split(", ");
  return `${first.replaceAll("-", " ")}${others.length === 0 ? "" : ` +${others.length}`}`;
}
