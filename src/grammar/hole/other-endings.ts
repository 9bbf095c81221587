import { isWordByte } from "../tables/yield-costs.ts";
import type { EndingParts } from "./ending-parts.ts";
import { type EndingPiece, type EndingPlan, plansFor } from "./ending-plans.ts";
import { writeEnding } from "./ending-writer.ts";
import type { Filling } from "./filling.ts";

/** From how many plans others are made. */
const maxPlans = 4;

/**
 * Other texts with which the hole may stop after `filling`: what the next best plans say, then the
 * plans with one of the grammar's openings, then with a lexeme more, such as `async` before a
 * function. Words come first, since they change what may stand inside more than signs do.
 */
export function* otherEndings(parts: EndingParts, filling: Filling): Generator<Uint8Array, undefined> {
  const seen = new Set<string>();
  const plans = plansFor(parts, filling).slice(0, maxPlans);
  for (const ending of allOf(parts, filling, plans)) {
    if (seen.has(ending.join())) continue;
    seen.add(ending.join());
    yield ending;
  }
  return undefined;
}

function* allOf(parts: EndingParts, filling: Filling, plans: readonly EndingPlan[]): Generator<Uint8Array> {
  for (const { pieces } of plans) {
    const ending = writeEnding(parts, filling, pieces);
    if (ending !== undefined) yield ending;
  }
  for (const { pieces } of plans) yield* withOpening(parts, filling, pieces);
  for (const { pieces } of plans) yield* withOneMore(parts, filling, pieces);
}

/**
 * The pieces with a text that opens more than the grammar asks for, between two of them, or in
 * place of one or all that follow.
 */
function* withOpening(parts: EndingParts, filling: Filling, pieces: readonly EndingPiece[]): Generator<Uint8Array> {
  const { openings = [] } = parts.hole.reader.parser.grammar;
  for (const opening of openings) {
    const text = new TextEncoder().encode(opening);
    for (let at = 0; at <= pieces.length; at++) {
      for (const rest of new Set([pieces.length, at + 1, at])) {
        const ending = writeEnding(parts, filling, [...pieces.slice(0, at), text, ...pieces.slice(rest)]);
        if (ending !== undefined) yield ending;
      }
    }
  }
}

function* withOneMore(parts: EndingParts, filling: Filling, pieces: readonly EndingPiece[]): Generator<Uint8Array> {
  const { lex } = parts.hole.reader.parser.grammar;
  const terminals = [...lex.shortest.keys()].filter((terminal) => lex.shortest[terminal]!.length > 0);
  const words = terminals.filter((terminal) => isWordByte(lex.shortest[terminal]![0]!));
  const signs = terminals.filter((terminal) => !isWordByte(lex.shortest[terminal]![0]!));
  for (const more of [...words, ...signs]) {
    for (let at = 0; at <= pieces.length; at++) {
      const ending = writeEnding(parts, filling, [...pieces.slice(0, at), more, ...pieces.slice(at)]);
      if (ending !== undefined) yield ending;
    }
  }
}
