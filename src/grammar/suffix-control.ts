import type { Spacing } from "./spacing.ts";

/** How far the text after a hole has been read, and what is decided about what comes next. */
export type Control = ControlStep & {
  readonly id: number;
};

/** A control before it is counted. */
export type ControlStep =
  /** Before a lexeme, or trivia, at a byte of a segment. */
  | { readonly kind: "place"; readonly segment: number; readonly offset: number; readonly spacing: Spacing }
  /** A terminal comes next, and then what `rest` says; virtual terminals may come before it. Without `rest` the text ends. */
  | { readonly kind: "take"; readonly terminal: number; readonly spacing: Spacing; readonly rest: Control | undefined }
  /** A virtual terminal comes before the terminal of `rest`. */
  | { readonly kind: "virtual"; readonly terminal: number; readonly rest: Control }
  /** A line begins whose first lexeme stands at `rest`. */
  | { readonly kind: "line"; readonly layout: number; readonly hasEndedBlock: boolean; readonly rest: Control }
  /** A bracket or block has just ended: what it completes is reduced at once. */
  | { readonly kind: "complete"; readonly rest: Control }
  /** A terminal is shifted as it is: all that goes before it was done in the hole. */
  | { readonly kind: "land"; readonly terminal: number; readonly rest: Control | undefined }
  /** In the hole before a segment, where any terminal may come. */
  | { readonly kind: "hole"; readonly segment: number };

/** Counts controls: the same step is the same control. */
export class ControlStore {
  readonly #controls = new Map<string, Control>();

  /** The control of this step. */
  of(step: ControlStep): Control {
    const key = keyOf(step);
    const known = this.#controls.get(key);
    if (known !== undefined) return known;
    const control: Control = { ...step, id: this.#controls.size };
    this.#controls.set(key, control);
    return control;
  }
}

function keyOf(step: ControlStep): string {
  switch (step.kind) {
    case "place":
      return `p${step.segment},${step.offset},${step.spacing}`;
    case "take":
      return `t${step.terminal},${step.spacing},${step.rest?.id ?? "-"}`;
    case "virtual":
      return `v${step.terminal},${step.rest.id}`;
    case "line":
      return `l${step.layout},${step.hasEndedBlock ? 1 : 0},${step.rest.id}`;
    case "complete":
      return `c${step.rest.id}`;
    case "land":
      return `s${step.terminal},${step.rest?.id ?? "-"}`;
    case "hole":
      return `h${step.segment}`;
  }
}
