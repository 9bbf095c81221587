import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import "./splitter.css";

/** What a bar between two parts moves. */
export interface SplitterParts {
  readonly label: string;
  /** Pixels of the part that it belongs to, kept in bounds. */
  readonly width: Signal<number>;
  readonly min: number;
  readonly max: number;
  /** On which side of the bar that part is. */
  readonly of: "left" | "right";
  readonly controls: string;
}

/** Pixels that an arrow key moves. */
const stepPx = 24;

/** A bar that is dragged, or moved by the arrow keys, Home and End. */
export function Splitter({ label, width, min, max, of, controls }: SplitterParts): JSX.Element {
  const dragged = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined);
  const direction = of === "left" ? 1 : -1;
  const set = (px: number) => {
    width.value = Math.round(Math.min(max, Math.max(min, px)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: width.value - direction * stepPx,
      ArrowRight: width.value + direction * stepPx,
      Home: min,
      End: max,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: A rule cannot be moved; this is the window splitter of the ARIA practices.
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={width.value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        dragged.current = { x: event.clientX, width: width.value };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={({ clientX }) => {
        if (dragged.current) set(dragged.current.width + direction * (clientX - dragged.current.x));
      }}
      onPointerUp={() => {
        dragged.current = undefined;
      }}
    />
  );
}
