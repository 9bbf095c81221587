import type { Spacing } from "./spacing.ts";

/** How far the text behind a hole has been read, and what is decided about what comes next. */
export type Control = { readonly id: number } & ControlStep;

/** What a control says. */
type ControlStep =
  /** Before a lexeme, or trivia, at a byte of a segment. */
  | { readonly kind: "place"; readonly segment: number; readonly offset: number; readonly spacing: Spacing }
  /**
   * A terminal comes next, and then `rest`; virtual terminals may come before it, an insertion only where none has.
   * Without `rest` the text ends.
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
  /** A line begins whose first lexeme stands at `rest`. */
  | { readonly kind: "line"; readonly layout: number; readonly hasEndedBlock: boolean; readonly rest: Control }
  /** A bracket or block has just ended: what it completes is reduced at once. */
  | { readonly kind: "complete"; readonly rest: Control }
  /** A terminal is shifted as it is: all that goes before it was done in the hole. */
  | { readonly kind: "land"; readonly terminal: number; readonly rest: Control | undefined }
  /** In the hole before a segment, where any terminal may come. */
  | { readonly kind: "hole"; readonly segment: number };

/** Makes controls, each once. */
export class ControlStore {
  readonly #known: { readonly [Kind in ControlStep["kind"]]: Map<number, Control> } = {
    place: new Map(),
    take: new Map(),
    virtual: new Map(),
    line: new Map(),
    complete: new Map(),
    land: new Map(),
    hole: new Map(),
  };
  #count = 0;

  place(segment: number, offset: number, spacing: Spacing): Control {
    return this.#of((segment * 0x1_0000_0000 + offset) * 4 + spacing, { kind: "place", segment, offset, spacing });
  }

  take(terminal: number, spacing: Spacing, rest: Control | undefined, mayInsert = true): Control {
    const key = afterKey(rest, (terminal * 4 + spacing) * 2 + (mayInsert ? 1 : 0));
    return this.#of(key, { kind: "take", terminal, spacing, mayInsert, rest });
  }

  virtual(terminal: number, rest: Control): Control {
    return this.#of(afterKey(rest, terminal), { kind: "virtual", terminal, rest });
  }

  line(layout: number, hasEndedBlock: boolean, rest: Control): Control {
    return this.#of(afterKey(rest, layout * 2 + (hasEndedBlock ? 1 : 0)), {
      kind: "line",
      layout,
      hasEndedBlock,
      rest,
    });
  }

  complete(rest: Control): Control {
    return this.#of(afterKey(rest, 0), { kind: "complete", rest });
  }

  land(terminal: number, rest: Control | undefined): Control {
    return this.#of(afterKey(rest, terminal), { kind: "land", terminal, rest });
  }

  hole(segment: number): Control {
    return this.#of(segment, { kind: "hole", segment });
  }

  #of(key: number, step: ControlStep): Control {
    const known = this.#known[step.kind].get(key);
    if (known !== undefined) return known;
    const control: Control = { ...step, id: this.#count++ };
    this.#known[step.kind].set(key, control);
    return control;
  }
}

/** A key for what is done before `rest`: `what` is below 2^22. */
function afterKey(rest: Control | undefined, what: number): number {
  return ((rest?.id ?? -1) + 1) * 0x40_0000 + what;
}
