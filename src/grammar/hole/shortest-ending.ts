import { plansFor } from "./ending-plans.ts";
import { type EndingSearchOptions, endingsOf } from "./ending-search.ts";
import { writeEnding } from "./ending-writer.ts";
import type { Filling, HoleQuestions } from "./filling.ts";
import type { SuffixAnalysis } from "./suffix-analysis.ts";

/** How many plans are tried. */
const maxPlans = 24;

/**
 * A text with which the hole may stop after `filling`, the shortest that the costs of the grammar's
 * symbols tell of; where none of these can be written, the first that a search finds, and
 * `undefined` where that finds none either. Blanks are put only where lexemes would run together.
 */
export function shortestEnding(
  hole: HoleQuestions,
  behind: SuffixAnalysis,
  filling: Filling,
  options: EndingSearchOptions = {},
): Uint8Array | undefined {
  const { maxBytes = Number.POSITIVE_INFINITY, goesOn } = options;
  const parts = { hole, behind, goesOn };
  if (!hole.isAlive(filling)) return undefined;
  if (hole.canStop(filling)) return new Uint8Array();
  const plans = plansFor(parts, filling);
  if (plans.length > 0 && plans[0]!.cost > maxBytes) return undefined;
  let best: Uint8Array | undefined;
  for (const { cost, pieces } of plans.slice(0, maxPlans)) {
    if (best !== undefined && cost >= best.length) break;
    const written = writeEnding(parts, filling, pieces);
    if (written !== undefined && (best === undefined || written.length < best.length)) best = written;
  }
  if (best !== undefined) return best.length <= maxBytes ? best : undefined;
  return endingsOf(parts, filling, options).next().value;
}
