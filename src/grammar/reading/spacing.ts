import type { CompiledGrammar, VirtualTerminal } from "../tables/compiled-grammar.ts";

/**
 * What is between two terminals: `glued`, nothing; `apart`, trivia within the line; `broken`,
 * trivia with a line break; `anySpacing`, any of these, where a hole has not determined it yet.
 */
export type Spacing = typeof glued | typeof apart | typeof broken | typeof anySpacing;

export const glued = 0;
export const apart = 1;
export const broken = 2;
export const anySpacing = 3;

/**
 * The spacing after trivia was added to `spacing`: `broken` once there was a line break, else
 * `apart`; `anySpacing` stays.
 */
export function withTrivia(spacing: Spacing, hasLineBreak: boolean): Spacing {
  if (spacing === anySpacing) return anySpacing;
  return hasLineBreak || spacing === broken ? broken : apart;
}

/** Looks up which virtual terminals may be taken before a terminal. */
export class VirtualTerminals {
  /** Whether the grammar has virtual terminals. */
  readonly any: boolean;
  /** Whether some of them are insertions. */
  readonly anyInserts: boolean;
  readonly #requires: (readonly number[])[] = [];
  readonly #inserts: (readonly number[])[] = [];
  readonly #all: (readonly number[])[] = [];

  static readonly #known: WeakMap<CompiledGrammar, VirtualTerminals> = new WeakMap();

  /** The virtual terminals of `grammar`; computed once and shared by all its parsers. */
  static of(grammar: CompiledGrammar): VirtualTerminals {
    let virtuals = VirtualTerminals.#known.get(grammar);
    if (virtuals === undefined) {
      virtuals = new VirtualTerminals(grammar);
      VirtualTerminals.#known.set(grammar, virtuals);
    }
    return virtuals;
  }

  private constructor({ virtuals, tables }: CompiledGrammar) {
    this.any = virtuals.length > 0;
    this.anyInserts = virtuals.some(({ kind }) => kind === "insert");
    for (let terminal = 0; terminal < tables.terminals.length; terminal++) {
      for (const spacing of [0, 1, 2, 3] as const) {
        const allowed = virtuals.filter((virtual) => isAllowed(virtual, terminal, spacing));
        this.#requires.push(terminalsOf(allowed, "require"));
        this.#inserts.push(terminalsOf(allowed, "insert"));
        this.#all.push(allowed.map((virtual) => virtual.terminal));
      }
    }
  }

  /** All virtual terminals that may be taken before `terminal`. */
  before(terminal: number, spacing: Spacing): readonly number[] {
    return this.#all[terminal * 4 + spacing]!;
  }

  /** The conditions that hold before `terminal`. */
  requiresBefore(terminal: number, spacing: Spacing): readonly number[] {
    return this.#requires[terminal * 4 + spacing]!;
  }

  /** The insertions that may be taken before `terminal`. */
  insertsBefore(terminal: number, spacing: Spacing): readonly number[] {
    return this.#inserts[terminal * 4 + spacing]!;
  }
}

function terminalsOf(virtuals: readonly VirtualTerminal[], kind: VirtualTerminal["kind"]): readonly number[] {
  return virtuals.filter((virtual) => virtual.kind === kind).map(({ terminal }) => terminal);
}

function isAllowed(virtual: VirtualTerminal, next: number, spacing: Spacing): boolean {
  const mayBreak = spacing === broken || spacing === anySpacing;
  if (virtual.kind === "insert") return (virtual.newline === "with" && mayBreak) || virtual.nextIn?.[next] === 1;
  if (virtual.newline === "with" && !mayBreak) return false;
  if (virtual.newline === "without" && spacing === broken) return false;
  if (virtual.glued === true && spacing !== glued && spacing !== anySpacing) return false;
  if (virtual.nextIn !== undefined && virtual.nextIn[next] === 0) return false;
  return virtual.nextNotIn?.[next] !== 1;
}
