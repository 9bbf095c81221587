import type { Spacing } from "../reading/spacing.ts";
import { absent, PairMap } from "../tables/pair-map.ts";

/** How far the text behind a hole has been read, and what is decided about what comes next. */
export type Control = { readonly id: number } & ControlStep;

/** What a control says. */
type ControlStep =
  /** Before a lexeme, or trivia, at a byte of a segment. */
  | { readonly kind: "place"; readonly segment: number; readonly offset: number; readonly spacing: Spacing }
  /**
   * A terminal comes next, and then `rest`; virtual terminals may come before it, an insertion only
   * where none has. Without `rest` the text ends.
   */
  | {
      readonly kind: "take";
      readonly terminal: number;
      readonly spacing: Spacing;
      readonly mayInsert: boolean;
      readonly rest: Control | undefined;
    }
  /** A virtual terminal comes before the terminal that `rest` takes. */
  | { readonly kind: "virtual"; readonly terminal: number; readonly rest: Control }
  /** A line begins whose first lexeme is at `rest`. */
  | { readonly kind: "line"; readonly layout: number; readonly hasEndedBlock: boolean; readonly rest: Control }
  /** A bracket or block has just ended: what it completes is reduced at once. */
  | { readonly kind: "complete"; readonly rest: Control }
  /** A terminal is shifted as it is: all that goes before it was done in the hole. */
  | { readonly kind: "land"; readonly terminal: number; readonly rest: Control | undefined }
  /** In the hole before a segment, where any terminal may come. */
  | { readonly kind: "hole"; readonly segment: number };

/** Makes controls, each once. */
export class ControlStore {
  /** By id. */
  readonly #controls: Control[] = [];
  /** The ids of places, by offset with spacing, and by segment. */
  readonly #places = new PairMap();
  /** The ids of all other controls, by what comes after them, and by kind with the rest. */
  readonly #others = new PairMap();

  place(segment: number, offset: number, spacing: Spacing): Control {
    const known = this.#places.get(offset * 4 + spacing, segment);
    if (known !== absent) return this.#controls[known]!;
    const id = this.#controls.length;
    this.#places.set(offset * 4 + spacing, segment, id);
    return this.#keep({ id, kind: "place", segment, offset, spacing });
  }

  take(terminal: number, spacing: Spacing, rest: Control | undefined, mayInsert = true): Control {
    const what = keyOf(kinds.take, (terminal * 4 + spacing) * 2 + (mayInsert ? 1 : 0));
    const known = this.#others.get(afterOf(rest), what);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(rest, what), kind: "take", terminal, spacing, mayInsert, rest });
  }

  virtual(terminal: number, rest: Control): Control {
    const what = keyOf(kinds.virtual, terminal);
    const known = this.#others.get(afterOf(rest), what);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(rest, what), kind: "virtual", terminal, rest });
  }

  line(layout: number, hasEndedBlock: boolean, rest: Control): Control {
    const what = keyOf(kinds.line, layout * 2 + (hasEndedBlock ? 1 : 0));
    const known = this.#others.get(afterOf(rest), what);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(rest, what), kind: "line", layout, hasEndedBlock, rest });
  }

  complete(rest: Control): Control {
    const what = keyOf(kinds.complete, 0);
    const known = this.#others.get(afterOf(rest), what);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(rest, what), kind: "complete", rest });
  }

  land(terminal: number, rest: Control | undefined): Control {
    const what = keyOf(kinds.land, terminal);
    const known = this.#others.get(afterOf(rest), what);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(rest, what), kind: "land", terminal, rest });
  }

  hole(segment: number): Control {
    const what = keyOf(kinds.hole, segment);
    const known = this.#others.get(afterOf(undefined), what);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(undefined, what), kind: "hole", segment });
  }

  #idFor(rest: Control | undefined, what: number): number {
    const id = this.#controls.length;
    this.#others.set(afterOf(rest), what, id);
    return id;
  }

  #keep(control: Control): Control {
    this.#controls.push(control);
    return control;
  }
}

const kinds = { take: 0, virtual: 1, line: 2, complete: 3, land: 4, hole: 5 };

/** `what` is below 2^28. */
function keyOf(kind: number, what: number): number {
  return what * 8 + kind;
}

function afterOf(rest: Control | undefined): number {
  return rest === undefined ? 0 : rest.id + 1;
}
