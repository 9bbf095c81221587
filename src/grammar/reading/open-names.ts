import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import type { Front } from "./stack.ts";

/**
 * A name whose second occurrence must be equal, with the names around it. Equal values share one
 * object.
 */
export interface OpenNames {
  readonly id: number;
  /** The enclosing open names; `undefined` at the outermost level. */
  readonly outer: OpenNames | undefined;
  /** The text of the first occurrence without trivia; incomplete while `stage` is `first`. */
  readonly name: string;
  /**
   * `first`, `second`: that occurrence is being written. `open`: the second occurrence is still to
   * come. `closed`: both are written.
   */
  readonly stage: "first" | "open" | "second" | "closed";
  /** The text of the second occurrence so far. */
  readonly again: string;
}

/** A name that comes next, or that is being written. */
export interface AwaitedName {
  readonly time: "first" | "second";
  /**
   * The required name at the second occurrence; `undefined` at the first, where any name is
   * allowed.
   */
  readonly name: string | undefined;
  readonly written: string;
}

/** Roles of parser states in matching names, as bits. */
const roles = { beforeFirst: 1, beforeSecond: 2, inside: 4, ends: 8 } as const;

/**
 * Tracks names that must be equal: where a production holds a symbol of `CompiledGrammar.same`
 * twice, both occurrences must have the same text.
 *
 * The parser's states determine where a name begins, and where the construct that it belongs to
 * ends.
 */
export class NamesFollower {
  /** No name is open. */
  readonly none: OpenNames;
  readonly #roles: Uint8Array;
  readonly #kept = new Map<string, OpenNames>();

  constructor(grammar: CompiledGrammar, same: readonly number[]) {
    this.#roles = rolesOf(grammar, same);
    this.none = { id: 0, outer: undefined, name: "", stage: "open", again: "" };
  }

  /**
   * The open names after a lexeme that moves the stacks from `before` to `after`; `undefined` where
   * the second occurrence of a name differs from the first. `text` returns the text of the lexeme.
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

  /**
   * The name that comes next or is being written when the stacks are at `front`; `undefined` where
   * it is none.
   */
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

/** The roles of each state as the top of a stack. */
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

/** The nonterminals in the derivations of a symbol, itself included. */
function symbolsInside(symbol: number, { productionLeft, productionRight, terminals }: CompiledGrammar["tables"]) {
  const inside = new Set([symbol]);
  // The set grows during the loop.
  for (const each of inside) {
    for (const [production, left] of productionLeft.entries()) {
      if (terminals.length + left !== each) continue;
      for (const part of productionRight[production]!) if (part >= terminals.length) inside.add(part);
    }
  }
  return inside;
}
