import type { Spacing } from "../reading/spacing.ts";
import { absent, PairMap } from "../tables/pair-map.ts";

/**
 * A control state of the suffix run: a position in the suffix, and what is decided about what comes
 * next.
 */
export type Control = { readonly id: number } & ControlStep;

/** The kinds of controls. */
export type ControlStep =
  /** Before a lexeme or trivia, at an offset in a segment. */
  | { readonly kind: "place"; readonly segment: number; readonly offset: number; readonly spacing: Spacing }
  /**
   * A terminal comes next, then `rest`; virtual terminals may precede it, an insertion only if
   * `mayInsert`. Without `rest` the text ends.
   */
  | {
      readonly kind: "take";
      readonly terminal: number;
      readonly spacing: Spacing;
      readonly mayInsert: boolean;
      readonly rest: Control | undefined;
    }
  /** A virtual terminal precedes the terminal that `rest` takes. */
  | { readonly kind: "virtual"; readonly terminal: number; readonly rest: Control }
  /** A line begins, whose first lexeme is at `rest`. */
  | { readonly kind: "line"; readonly layout: number; readonly hasEndedBlock: boolean; readonly rest: Control }
  /** A bracket or block has just ended: its production is reduced without lookahead. */
  | { readonly kind: "complete"; readonly rest: Control }
  /** A terminal is shifted: everything before it was done in the hole. */
  | { readonly kind: "shift"; readonly terminal: number; readonly rest: Control | undefined }
  /** In the hole before a segment, where any terminal may come. */
  | { readonly kind: "hole"; readonly segment: number };

/**
 * Interns controls: equal ones are the same object. Each method returns the control of its kind,
 * see {@link ControlStep}.
 */
export class ControlStore {
  /** Controls by id. */
  readonly #controls: Control[] = [];
  /** Ids of `place` controls, by offset with spacing, and by segment. */
  readonly #places = new PairMap();
  /** Ids of all other controls, by `rest`, and by kind with the other fields. */
  readonly #others = new PairMap();

  /** The control with this id. */
  of(id: number): Control {
    return this.#controls[id]!;
  }

  place(segment: number, offset: number, spacing: Spacing): Control {
    const known = this.#places.get(offset * 4 + spacing, segment);
    if (known !== absent) return this.#controls[known]!;
    const id = this.#controls.length;
    this.#places.set(offset * 4 + spacing, segment, id);
    return this.#keep({ id, kind: "place", segment, offset, spacing });
  }

  take(terminal: number, spacing: Spacing, rest: Control | undefined, mayInsert = true): Control {
    const fields = keyOf(kinds.take, (terminal * 4 + spacing) * 2 + (mayInsert ? 1 : 0));
    const known = this.#others.get(afterOf(rest), fields);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(rest, fields), kind: "take", terminal, spacing, mayInsert, rest });
  }

  virtual(terminal: number, rest: Control): Control {
    const fields = keyOf(kinds.virtual, terminal);
    const known = this.#others.get(afterOf(rest), fields);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(rest, fields), kind: "virtual", terminal, rest });
  }

  line(layout: number, hasEndedBlock: boolean, rest: Control): Control {
    const fields = keyOf(kinds.line, layout * 2 + (hasEndedBlock ? 1 : 0));
    const known = this.#others.get(afterOf(rest), fields);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(rest, fields), kind: "line", layout, hasEndedBlock, rest });
  }

  complete(rest: Control): Control {
    const fields = keyOf(kinds.complete, 0);
    const known = this.#others.get(afterOf(rest), fields);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(rest, fields), kind: "complete", rest });
  }

  shift(terminal: number, rest: Control | undefined): Control {
    const fields = keyOf(kinds.shift, terminal);
    const known = this.#others.get(afterOf(rest), fields);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(rest, fields), kind: "shift", terminal, rest });
  }

  hole(segment: number): Control {
    const fields = keyOf(kinds.hole, segment);
    const known = this.#others.get(afterOf(undefined), fields);
    if (known !== absent) return this.#controls[known]!;
    return this.#keep({ id: this.#idFor(undefined, fields), kind: "hole", segment });
  }

  #idFor(rest: Control | undefined, fields: number): number {
    const id = this.#controls.length;
    this.#others.set(afterOf(rest), fields, id);
    return id;
  }

  #keep(control: Control): Control {
    this.#controls.push(control);
    return control;
  }
}

const kinds = { take: 0, virtual: 1, line: 2, complete: 3, shift: 4, hole: 5 };

/** `fields` must be below 2^28. */
function keyOf(kind: number, fields: number): number {
  return fields * 8 + kind;
}

function afterOf(rest: Control | undefined): number {
  return rest === undefined ? 0 : rest.id + 1;
}
