import { disk } from "../codebase/node/index.ts";
import { type ModelPrice, tryModelPrice, userConfigFolder } from "../config/index.ts";
import { isLoopback, parseModelName } from "../model/index.ts";
import type { PlanMoney } from "../plan/index.ts";
import { loadEditSettings } from "../server/session/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { modelNames } from "./model-flags.ts";
import type { PlanOutside } from "./plan-teller.ts";

/** What is said of a plan's cost. */
export interface PriceQuestion {
  readonly root: string;
  /** As `--model` names them. */
  readonly models: readonly string[];
  /** As `--price` says it. */
  readonly price: ModelPrice | undefined;
  readonly maxCost: number | undefined;
  readonly isTrusted: boolean;
}

/**
 * What a plan's tokens cost, for its limits: as it was said, or else as the configuration says it. Of several models that stand in for each other
 * the dearest counts, so that no limit is exceeded. A model on this machine costs nothing unless something else is said.
 *
 * Throws a {@link CommandFailure} where there is a limit that cannot be kept, since nobody knows what a model costs.
 */
export async function moneyOfPlan(
  question: PriceQuestion,
  outside: Pick<PlanOutside, "environment">,
): Promise<PlanMoney> {
  const { models, maxCost } = question;
  const names = modelNames(models);
  if (names.length === 0) {
    if (maxCost === undefined) return {};
    throw usage("--max-cost bounds what a model costs. Name one with --model, or leave it out: rules cost nothing.");
  }
  const prices = await pricesOf(names, question, outside);
  const unknown = names.find((_, index) => prices[index] === undefined);
  if (unknown !== undefined) {
    if (maxCost === undefined) return {};
    throw usage(
      `What ${unknown} costs is not known, so that --max-cost cannot be kept. Say what a million tokens cost that it is shown and that it writes: --price 3/15, or for good "models": { "${unknown}": { "price": { "input": 3, "output": 15 } } } in emend.config.json.`,
    );
  }
  const known = prices as readonly ModelPrice[];
  const price = {
    shownToken: Math.max(...known.map(({ input }) => input)) / 1e6,
    writtenToken: Math.max(...known.map(({ output }) => output)) / 1e6,
  };
  // Nobody counts nothing who did not ask for it.
  const isFree = price.shownToken === 0 && price.writtenToken === 0;
  return { ...(isFree && maxCost === undefined ? {} : { price }), ...(maxCost !== undefined && { maxCost }) };
}

async function pricesOf(
  names: readonly string[],
  { root, price, isTrusted }: PriceQuestion,
  { environment }: Pick<PlanOutside, "environment">,
): Promise<readonly (ModelPrice | undefined)[]> {
  if (price !== undefined) return names.map(() => price);
  const source = { fileSystem: disk, userFolder: userConfigFolder(), environment, flags: [] };
  const { config } = await loadEditSettings(
    { ...source, ...(isTrusted && { isTrusted }) },
    { root, editor: undefined },
  );
  return names.map((name) => tryModelPrice(config, name) ?? (isHere(name) ? { input: 0, output: 0 } : undefined));
}

/** Whether a model runs on this machine. */
function isHere(text: string): boolean {
  const { name } = parseModelName(text);
  if (name === undefined) return false;
  return name.provider === "gguf" || name.provider === "builtin" || isLoopback(name.baseUrl);
}

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
