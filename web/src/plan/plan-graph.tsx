import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { memo } from "preact/compat";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { nodeSize } from "../../../src/codebase/page/column-layout.ts";
import type { StepLink, StepView } from "../../../src/plan/page/plan-view.ts";
import { standingLooks } from "../../../src/plan/page/standing-looks.ts";
import type { StepId } from "../../../src/plan/plan-graph.ts";
import { type Direction, nearStep, tryWalk } from "./picture-walk.ts";
import { type PictureColumns, type PlacedWay, pictureOf } from "./plan-picture.ts";
import { labelOf, sayRelation } from "./step-label.ts";

interface GraphParts {
  readonly steps: readonly StepView[];
  readonly links: readonly StepLink[];
  readonly columns: Signal<PictureColumns>;
  readonly selected: StepId | undefined;
  readonly onSelect: (id: StepId | undefined) => void;
  /** Enter was pressed on the selected step. */
  readonly onOpen: () => void;
  /** Whether there are other steps, which a filter hides. */
  readonly isFiltered: boolean;
  /** Stands above the drawing. */
  readonly says: ComponentChildren;
}

/**
 * Links of more have their relations written beside them only once one of their steps is looked at.
 */
const maxNamedWays = 30;
/**
 * Where there are more of them, they are drawn faintly: what is linked is seen once a step is
 * chosen.
 */
const maxPlainWays = 80;
/** A drawing is never shown smaller than this by itself: nobody could read it. */
const leastScale = 0.7;

/**
 * The steps, and which caused which, in columns. Arrow keys follow the links, Enter opens a step,
 * Escape leaves it, + and - make it larger and smaller, 0 as large as it fits.
 */
export function PlanGraph({
  steps,
  links,
  columns,
  selected,
  onSelect,
  onOpen,
  isFiltered,
  says,
}: GraphParts): JSX.Element {
  const picture = useMemo(() => pictureOf({ steps, links }, columns.value), [steps, links, columns.value]);
  const near = useMemo(
    () => (selected === undefined ? undefined : nearStep(picture.ways, selected)),
    [picture, selected],
  );
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  /** `undefined` is as large as it fits. */
  const zoom = useSignal<number | undefined>(undefined);
  const fitting = Math.max(leastScale, Math.min(1, width / picture.width));
  const scale = zoom.value ?? fitting;
  const zoomTo = (to: number) => {
    zoom.value = Math.max(0.3, Math.min(2, to));
  };
  const isHeld = useRef(false);
  useEffect(() => {
    const node = selected === undefined ? undefined : frame.current?.querySelector(`[data-step="${selected}"]`);
    node?.scrollIntoView({ block: "nearest", inline: "nearest" });
    // The keyboard goes where the selection goes, if it is in here.
    if (isHeld.current && node instanceof SVGElement) node.focus();
  }, [selected]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = directions[event.key];
    if (direction !== undefined) {
      const to = tryWalk(picture, selected, direction);
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
  const first = picture.steps.some(({ node }) => node.id === selected) ? selected : steps[0]?.id;
  const isNamed = picture.ways.length <= maxNamedWays && scale > 0.7;
  return (
    <>
      <GraphTools columns={columns} scale={scale} zoomTo={zoomTo} fit={() => (zoom.value = undefined)} says={says} />
      <div class="graph-frame scroll" ref={frame}>
        {steps.length === 0 ? (
          <p class="graph-empty dim">
            There is nothing to draw{isFiltered ? " that the filter lets through" : " yet"}.
          </p>
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: A drawing is no set of fields.
          <svg
            class={`graph${isNamed ? " named" : ""}${picture.ways.length > maxPlainWays ? " crowded" : ""}`}
            width={picture.width * scale}
            height={picture.height * scale}
            viewBox={`0 0 ${picture.width} ${picture.height}`}
            role="group"
            aria-label="The steps, and which caused which"
            onKeyDown={onKeyDown}
            onFocusIn={() => {
              isHeld.current = true;
            }}
            onFocusOut={() => {
              isHeld.current = false;
            }}
          >
            <defs>
              <marker id="way-end" viewBox="0 0 6 6" refX="5.5" refY="3" markerWidth="7" markerHeight="7" orient="auto">
                <path d="M0 0 6 3 0 6Z" fill="context-stroke" />
              </marker>
            </defs>
            {picture.heads.map(({ x, text }) => (
              <text key={x} class="graph-head" x={x} y={18}>
                {text}
              </text>
            ))}
            <g>
              {picture.ways.map((way) => (
                <Way key={`${way.link.from}-${way.link.to}`} way={way} look={lookOf(way.link, near, selected)} />
              ))}
            </g>
            <g>
              {picture.steps.map(({ node, x, y }) => (
                <StepNode
                  key={node.id}
                  {...{ step: node, x, y, onSelect }}
                  isSelected={node.id === selected}
                  isFirst={node.id === first}
                  isFar={near !== undefined && !near.has(node.id)}
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

interface ToolParts extends Pick<GraphParts, "columns" | "says"> {
  readonly scale: number;
  readonly zoomTo: (scale: number) => void;
  readonly fit: () => void;
}

function GraphTools({ columns, says, scale, zoomTo, fit }: ToolParts): JSX.Element {
  const percent = `${Math.round(scale * 100)} %`;
  return (
    <div class="graph-tools">
      <span class="graph-says">{says}</span>
      <div class="graph-columns" role="radiogroup" aria-label="Columns">
        <Columns columns={columns} name="depth" text="By cause" />
        <Columns columns={columns} name="round" text="By round" />
      </div>
      <span class="graph-zoom">
        <button type="button" class="button quiet icon-only" aria-label="Smaller" onClick={() => zoomTo(scale / 1.25)}>
          −
        </button>
        <button type="button" class="button quiet" aria-label={`${percent}: show it as large as it fits`} onClick={fit}>
          {percent}
        </button>
        <button type="button" class="button quiet icon-only" aria-label="Larger" onClick={() => zoomTo(scale * 1.25)}>
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
  readonly columns: Signal<PictureColumns>;
  readonly name: PictureColumns;
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

type WayLook = "plain" | "lit" | "far";

function lookOf({ from, to }: StepLink, near: ReadonlySet<StepId> | undefined, selected: StepId | undefined): WayLook {
  if (near === undefined) return "plain";
  if (from === selected || to === selected) return "lit";
  return near.has(from) && near.has(to) ? "plain" : "far";
}

const Way = memo(
  ({ way: { link, curve, x, y, isFirst }, look }: { readonly way: PlacedWay; readonly look: WayLook }) => (
    <g class={`way ${look}${isFirst ? " first" : ""}`}>
      <path d={curve} marker-end="url(#way-end)">
        <title>{`Step ${link.to} is there since step ${link.from}: ${link.relation}`}</title>
      </path>
      <text x={x} y={y} text-anchor="end">
        {cut(sayRelation(link.relation), 17)}
      </text>
    </g>
  ),
  (a, b) =>
    a.look === b.look &&
    a.way.isFirst === b.way.isFirst &&
    a.way.curve === b.way.curve &&
    a.way.link.relation === b.way.link.relation,
);

interface NodeParts {
  readonly step: StepView;
  readonly x: number;
  readonly y: number;
  readonly isSelected: boolean;
  /** Whether Tab leads to it. */
  readonly isFirst: boolean;
  readonly isFar: boolean;
  readonly onSelect: (id: StepId) => void;
}

const StepNode = memo(
  ({ step, x, y, isSelected, isFirst, isFar, onSelect }: NodeParts) => {
    const { id, standing, path, block } = step;
    const { mark, words } = standingLooks[standing];
    const { width, height } = nodeSize;
    const label = cut(labelOf(step), 23);
    const place = cutLeft(path, 27);
    return (
      // biome-ignore lint/a11y/useSemanticElements: A button cannot stand in a drawing.
      <g
        class={`step-node ${standing}${isSelected ? " selected" : ""}${isFar ? " far" : ""}`}
        style={{ transform: `translate(${x}px, ${y}px)` }}
        data-step={id}
        role="button"
        // In a drawing attributes are distinguished by their case.
        tabindex={isFirst ? 0 : -1}
        aria-pressed={isSelected}
        onClick={() => onSelect(id)}
      >
        <title>{`Step ${id}, ${block}, ${words}`}</title>
        <rect class="step-ground" width={width} height={height} rx="6" />
        <path class="step-side" d={`M6 .5H22V${height - 0.5}H6A5.5 5.5 0 0 1 .5 ${height - 6}V6A5.5 5.5 0 0 1 6 .5Z`} />
        <text class="step-mark" x="11" y={height / 2 + 4.5} text-anchor="middle">
          {mark}
        </text>
        <text class="step-label" x="29" y="14.5">
          {label}
        </text>
        <text class="step-place" x="29" y="27.5">
          {place}
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
    a.step.standing === b.step.standing &&
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

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function cutLeft(text: string, most: number): string {
  return text.length <= most ? text : `…${text.slice(1 - most)}`;
}
