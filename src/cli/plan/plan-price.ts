import { type ModelPrice, tryModelPrice, userConfigFolder } from "../../config/index.ts";
import { isLoopback, parseModelName, shownModelName } from "../../model/index.ts";
import type { PlanMoney } from "../../plan/index.ts";
import { loadEditSettings } from "../../server/session/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { modelNames } from "../named-models.ts";
import { badUsage, CommandFailure } from "../terminal/failure.ts";
import type { PlanOutside } from "./plan-reporter.ts";

/** The options about a plan's cost. */
export interface PriceQuery {
  readonly root: string;
  /** As in `--model`. */
  readonly models: readonly string[];
  /** As in `--price`. */
  readonly price: ModelPrice | undefined;
  readonly maxCost: number | undefined;
  readonly isTrusted: boolean;
}

/**
 * The price of a single token that a plan's models read and write, for its limits: the given one,
 * or else that of the configuration. Without `maxCost`, a price that is unknown or zero is left
 * out. Of several fallback models the most expensive counts, so that no limit is exceeded. A local
 * model costs nothing by default.
 *
 * Throws a {@link CommandFailure} where there is a limit, and no model is named or the price of one
 * is unknown.
 */
export async function moneyOfPlan(query: PriceQuery, outside: Pick<PlanOutside, "environment">): Promise<PlanMoney> {
  const { models, maxCost } = query;
  const names = modelNames(models);
  if (names.length === 0) {
    if (maxCost === undefined) return {};
    throw badUsage(
      "--max-cost limits the cost of a model. Name one with --model, or leave --max-cost out: rules cost nothing.",
    );
  }
  const prices = await pricesOf(names, query, outside);
  const unknown = names.find((_, index) => prices[index] === undefined);
  if (unknown !== undefined) {
    if (maxCost === undefined) return {};
    throw badUsage(
      `The price of ${shownModelName(unknown)} is unknown, so that --max-cost cannot be kept. Give the price of a million input and output tokens: --price 3/15, or permanently "models": { "${shownModelName(unknown)}": { "price": { "input": 3, "output": 15 } } } in emend.config.json.`,
    );
  }
  const known = prices as readonly ModelPrice[];
  const price = {
    shownToken: Math.max(...known.map(({ input }) => input)) / 1e6,
    writtenToken: Math.max(...known.map(({ output }) => output)) / 1e6,
  };
  // A cost of zero is not shown unless a limit was requested.
  const isFree = price.shownToken === 0 && price.writtenToken === 0;
  return { ...(isFree && maxCost === undefined ? {} : { price }), ...(maxCost !== undefined && { maxCost }) };
}

async function pricesOf(
  names: readonly string[],
  { root, price, isTrusted }: PriceQuery,
  { environment }: Pick<PlanOutside, "environment">,
): Promise<readonly (ModelPrice | undefined)[]> {
  if (price !== undefined) return names.map(() => price);
  const source = { fileSystem: disk, userFolder: userConfigFolder(), environment, flags: [] };
  const { config } = await loadEditSettings(
    { ...source, ...(isTrusted && { isTrusted }) },
    { root, editor: undefined },
  );
  return names.map((name) => tryModelPrice(config, name) ?? (isLocal(name) ? { input: 0, output: 0 } : undefined));
}

/** Whether a model runs on this machine. */
function isLocal(text: string): boolean {
  const { name } = parseModelName(text);
  if (name === undefined) return false;
  return name.provider === "gguf" || name.provider === "builtin" || isLoopback(name.baseUrl);
}
