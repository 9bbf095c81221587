import type { PlanEnd } from "./plan-event.ts";
import type { PlanLimits } from "./plan-parts.ts";
import type { PlanState } from "./plan-state.ts";

/** The limits of a plan, with a value for each. */
export type CompleteLimits = Required<Omit<PlanLimits, "isStep">> & Pick<PlanLimits, "isStep">;

/**
 * The limits of a plan with the defaults filled in. Throws `RangeError` when a value is not a
 * number or too small.
 */
export function limitsOf(limits: PlanLimits): CompleteLimits {
  const complete: CompleteLimits = {
    ...{ maxRounds: 4, maxSteps: 500, maxTokens: Number.POSITIVE_INFINITY, maxCost: Number.POSITIVE_INFINITY },
    ...{ price: { shownToken: 0, writtenToken: 0 }, maxVisits: 3, concurrency: 4 },
    ...limits,
  };
  const atLeast = { maxRounds: 1, maxSteps: 0, maxTokens: 0, maxCost: 0, maxVisits: 1, concurrency: 1 } as const;
  for (const [name, least] of Object.entries(atLeast)) {
    const value = complete[name as keyof typeof atLeast];
    if (!(value >= least)) throw new RangeError(`${name} is ${value}, and must be at least ${least}.`);
  }
  return complete;
}

/** The cost of a plan so far, in the unit of the price. */
export function costOf({ tokens }: Pick<PlanState, "tokens">, { price }: Pick<CompleteLimits, "price">): number {
  return tokens.shown * price.shownToken + tokens.written * price.writtenToken;
}

/**
 * An amount of money without its currency: two digits after the point for 0 and from 1 on,
 * otherwise four.
 */
export function printAmount(amount: number): string {
  return amount.toFixed(amount === 0 || amount >= 1 ? 2 : 4);
}

/**
 * The limit of steps, if the plan has carried out that many; otherwise `undefined`. {@link
 * roomForTokens} has the limits of tokens and cost.
 */
export function reachedLimit(state: PlanState, limits: CompleteLimits): Limit | undefined {
  const carriedOut = state.graph.completedCount;
  if (carriedOut >= limits.maxSteps) return { why: "steps", note: `${carriedOut} steps were carried out.` };
  return undefined;
}

/**
 * How many of the requests, in order, fit within the limits of tokens and cost, without their
 * answers; `limit` is the one that excludes the next, and has no meaning where all fit. `questions`
 * are the tokens of each request.
 */
export function roomForTokens(
  state: PlanState,
  limits: CompleteLimits,
  questions: readonly number[],
): { readonly count: number; readonly limit: Limit } {
  const { maxTokens, maxCost, price } = limits;
  let tokens = state.tokens.shown + state.tokens.written;
  let cost = costOf(state, limits);
  let count = 0;
  let limit: Limit = { why: "tokens", note: `Models used ${tokens} of ${maxTokens} tokens.` };
  for (const question of questions) {
    tokens += question;
    cost += question * price.shownToken;
    if (tokens > maxTokens) break;
    if (cost > maxCost) {
      limit = { why: "money", note: `The plan has cost ${printAmount(costOf(state, limits))} of ${maxCost}.` };
      break;
    }
    count += 1;
  }
  return { count, limit };
}

/** A limit that was reached. */
export interface Limit {
  readonly why: Extract<PlanEnd, "steps" | "tokens" | "money">;
  readonly note: string;
}
