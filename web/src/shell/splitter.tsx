import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import "./splitter.css";

/** The properties of {@link Splitter}. */
export interface SplitterParts {
  readonly label: string;
  /** The width of the resized part in pixels, between `min` and `max`. */
  readonly width: Signal<number>;
  readonly min: number;
  readonly max: number;
  /** The side of the resized part. */
  readonly of: "left" | "right";
  readonly controls: string;
}

/** The step of an arrow key in pixels. */
const stepPx = 24;

/** A window splitter, moved by dragging, arrow keys, Home and End. */
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
    // biome-ignore lint/a11y/useSemanticElements: An hr element cannot be moved; this is the window splitter of the ARIA practices.
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
