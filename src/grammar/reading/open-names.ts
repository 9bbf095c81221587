import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import type { Front } from "./stack.ts";

/**
 * A name that must be written the same again, and those around it. Each is kept once, so that equal
 * ones are the same.
 */
export interface OpenNames {
  readonly id: number;
  /** The names that were open before it; `undefined` where nothing is open. */
  readonly outer: OpenNames | undefined;
  /**
   * The text without what may stand between lexemes; as far as it is written, where it is being
   * written for the first time.
   */
  readonly name: string;
  /**
   * `first`, `second`: the name is being written that time. `open`: it waits for the second time.
   * `closed`: it was written again.
   */
  readonly stage: "first" | "open" | "second" | "closed";
  /** What is written of it the second time. */
  readonly again: string;
}

/** What is to be written of a name, once something of it is known. */
export interface AwaitedName {
  readonly time: "first" | "second";
  /** The name the second time; `undefined` the first time, when any will do. */
  readonly name: string | undefined;
  readonly written: string;
}

/** What the states of a parser say of such names, as bits. */
const roles = { beforeFirst: 1, beforeSecond: 2, inside: 4, ends: 8 } as const;

/**
 * Follows names that must agree through a text: where a production holds a symbol of
 * `CompiledGrammar.same` twice, both are the same text.
 *
 * The states of the parser tell where such a name begins and where what it belongs to ends, so that
 * nothing is guessed.
 */
export class NamesFollower {
  /** Nothing is open. */
  readonly none: OpenNames;
  readonly #roles: Uint8Array;
  readonly #kept = new Map<string, OpenNames>();

  constructor(grammar: CompiledGrammar, same: readonly number[]) {
    this.#roles = rolesOf(grammar, same);
    this.none = { id: 0, outer: undefined, name: "", stage: "open", again: "" };
  }

  /**
   * What is open once a lexeme is taken that leads from `before` to `after`; `undefined` where it
   * is not written as it was the first time. `text` gives the lexeme.
   */
  take(names: OpenNames, before: Front, after: Front, text: () => string): OpenNames | undefined {
    const now = this.#roleOf(after);
    if ((now & roles.inside) !== 0) return this.#write(names, this.#roleOf(before), text());
    let next = names;
    if (names.stage === "first") next = this.#keep(names.outer, names.name, "open", "");
    else if (names.stage === "second") {
      if (names.again !== names.name) return undefined;
      next = this.#keep(names.outer, names.name, "closed", "");
    }
    return (now & roles.ends) === 0 ? next : (next.outer ?? this.none);
  }

  /** What is awaited of a name where stacks have come to `front`; `undefined` where no name is. */
  awaited(names: OpenNames, front: Front): AwaitedName | undefined {
    const role = this.#roleOf(front);
    if ((role & roles.beforeSecond) !== 0) return { time: "second", name: names.name, written: "" };
    if ((role & roles.beforeFirst) !== 0) return { time: "first", name: undefined, written: "" };
    if (names.stage === "second") return { time: "second", name: names.name, written: names.again };
    return names.stage === "first" ? { time: "first", name: undefined, written: names.name } : undefined;
  }

  #write(names: OpenNames, before: number, text: string): OpenNames | undefined {
    if ((before & roles.beforeFirst) !== 0) return this.#keep(names, text, "first", "");
    if (names.stage === "first") return this.#keep(names.outer, names.name + text, "first", "");
    const again = (before & roles.beforeSecond) !== 0 ? text : names.again + text;
    return names.name.startsWith(again) ? this.#keep(names.outer, names.name, "second", again) : undefined;
  }

  #roleOf(front: Front): number {
    let role = 0;
    for (const { state } of front.nodes) role |= this.#roles[state]!;
    return role;
  }

  #keep(outer: OpenNames | undefined, name: string, stage: OpenNames["stage"], again: string): OpenNames {
    const key = `${outer?.id} ${stage} ${again} ${name}`;
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = { id: this.#kept.size + 1, outer, name, stage, again };
      this.#kept.set(key, kept);
    }
    return kept;
  }
}

/** The roles of each state; for those on top of a stack behind a lexeme. */
function rolesOf({ tables }: CompiledGrammar, same: readonly number[]): Uint8Array {
  const { itemStart, itemProduction, itemDot, productionLeft, productionRight, terminals } = tables;
  const found = new Uint8Array(tables.stateCount);
  for (const symbol of same) {
    const parts = symbolsInside(symbol, tables);
    for (let state = 0; state < tables.stateCount; state++) {
      for (let i = itemStart[state]!; i < itemStart[state + 1]!; i++) {
        const right = productionRight[itemProduction[i]!]!;
        const dot = itemDot[i]!;
        const first = right.indexOf(symbol);
        if (right[dot] === symbol) found[state]! |= first === dot ? roles.beforeFirst : roles.beforeSecond;
        if (first >= 0 && dot === right.length) found[state]! |= roles.ends;
        const isPart = parts.has(terminals.length + productionLeft[itemProduction[i]!]!);
        if (isPart || (right[dot - 1] === symbol && symbol < terminals.length)) found[state]! |= roles.inside;
      }
    }
  }
  return found;
}

/** The nonterminals that a symbol is made of, itself too. */
function symbolsInside(symbol: number, { productionLeft, productionRight, terminals }: CompiledGrammar["tables"]) {
  const inside = new Set([symbol]);
  // The set grows while it is walked.
  for (const each of inside) {
    for (const [production, left] of productionLeft.entries()) {
      if (terminals.length + left !== each) continue;
      for (const part of productionRight[production]!) if (part >= terminals.length) inside.add(part);
    }
  }
  return inside;
}
