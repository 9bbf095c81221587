import type { Reading } from "../reading/reader.ts";
import type { Front } from "../reading/stack.ts";
import { unwritable } from "../tables/yield-costs.ts";
import type { Filling, HoleQuestions } from "./filling.ts";
import type { Crossing, Entry } from "./hole-boundary.ts";
import type { SuffixAnalysis } from "./suffix-analysis.ts";

/** The inputs of a search for an ending. */
export interface EndingParts {
  readonly hole: HoleQuestions;
  readonly behind: SuffixAnalysis;
  /** Whether the search may continue; always by default. */
  readonly goesOn?: (() => boolean) | undefined;
}

/** A piece of an ending: bytes as they are, or a terminal to write. */
export type EndingPiece = Uint8Array | number;

/**
 * A candidate for an ending, by costs alone; whether its lexemes can be adjacent is checked when it
 * is written.
 */
export interface EndingPlan {
  readonly cost: number;
  readonly pieces: readonly EndingPiece[];
}

const plansPerFront = 4;

/**
 * Candidates for endings by the costs of the grammar's symbols, in bytes, cheapest first; not all
 * that exist. Empty where nothing can be written.
 */
export function endingPlans(parts: EndingParts, filling: Filling): readonly EndingPlan[] {
  return filling.readings.flatMap((reading) => plansOf(parts, filling, reading)).sort((a, b) => a.cost - b.cost);
}

function plansOf(parts: EndingParts, filling: Filling, reading: Reading): EndingPlan[] {
  if (typeof reading.lexeme === "string") return plansFrom(parts, reading.front, [], 0);
  const { reader } = parts.hole;
  // A lexeme that can't be extended ends at its longest match, and the rest is read again.
  const endedEarlier = reader.endLexeme(reading, filling.bytes, filling.bytes.length);
  return [
    ...plansOfLexeme(parts, filling, reading, reading.lexeme.state),
    ...(reading.lexeme.matchEnd === filling.bytes.length ? [] : endedEarlier).flatMap((earlier) =>
      plansOf(parts, filling, earlier),
    ),
  ];
}

/**
 * Ends the open lexeme as each match that it can reach, and then the text; or continues the lexeme
 * in the suffix.
 */
function plansOfLexeme(parts: EndingParts, filling: Filling, reading: Reading, state: number): EndingPlan[] {
  const { parser } = parts.hole.reader;
  const { lex } = parser.grammar;
  const plans: EndingPlan[] = [];
  const seen = new Set<Front>();
  for (const { state: end, bytes } of parts.behind.index.reach.matches(state)) {
    const match = lex.matches[lex.match[end]!]!;
    const fronts = [parser.takeLexeme(reading.front, match.readings, reading.spacing)];
    if (match.isTrivia) fronts.push(reading.front);
    for (const front of fronts) {
      if (front.isEmpty || seen.has(front)) continue;
      seen.add(front);
      plans.push(...plansFrom(parts, front, [bytes], bytes.length));
    }
  }
  const tree = parts.behind.index.reach.tree(state);
  for (const reached of tree.order) {
    if (!parts.hole.canContinueInSuffix(reading, filling, reached)) continue;
    const bytes = tree.pathTo(reached);
    plans.push({ cost: bytes.length, pieces: [bytes] });
    break;
  }
  return plans;
}

function plansFrom(parts: EndingParts, front: Front, before: readonly EndingPiece[], costBefore: number): EndingPlan[] {
  const plans: EndingPlan[] = [];
  for (const { cost, written } of parts.behind.search.cheapest(front, parts.behind.inHole, parts.goesOn)) {
    if (cost >= unwritable) break;
    const pieces = [...before, ...written.flatMap((each) => piecesOf(parts, each))];
    plans.push({ cost: costBefore + cost, pieces });
    if (plans.length === plansPerFront) break;
  }
  return plans;
}

function piecesOf(parts: EndingParts, written: Crossing | Entry): EndingPiece[] {
  if ("bytes" in written) return written.bytes.length === 0 ? [] : [written.bytes];
  const { tables } = parts.hole.reader.parser.grammar;
  const { production, dot, until, inner, innerFirst, first } = written;
  const symbols = tables.productionRight[production]!;
  const pieces = parts.behind.index.costs.terminals(symbols, dot, until, innerFirst, first);
  return inner === undefined ? [...pieces] : [...pieces, ...piecesOf(parts, inner)];
}
