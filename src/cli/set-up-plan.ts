import type { ModelPrice } from "../config/index.ts";
import { parseOracleCommand } from "../plan/index.ts";
import type { PlanSetup } from "../plan/node/index.ts";
import { EmendError } from "../text/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { seedsOfOracles, seedsOfOutput } from "./finding-seeds.ts";
import { checkModelNames } from "./model-flags.ts";
import { moneyOfPlan } from "./plan-price.ts";
import { type FoundSeeds, findSeeds, type SeedOutside } from "./plan-seeds.ts";
import type { PlanOutside } from "./plan-teller.ts";
import { listed } from "./print-names.ts";

/** What a plan is to be. Plain data. */
export interface PlanQuestion extends PlanBounds {
  /** `FILE:LINE`. */
  readonly at: string | undefined;
  /** A range of git, the file of a diff, `-` or `working-tree`. */
  readonly seed: string | undefined;
  /** Begin with what the oracles have to say. */
  readonly fix: boolean;
  /** A file with what was said, or `-`, possibly behind a format and a colon. */
  readonly findings: string | undefined;
  readonly oracle: readonly string[] | undefined;
  /** Whether the configuration of the workspace may run code. */
  readonly trust: boolean;
}

/** Who is asked, and how far a plan may go. */
export interface PlanBounds {
  readonly model: readonly string[] | undefined;
  /** In seconds. */
  readonly oracleTimeout?: number | undefined;
  readonly maxSteps: number | undefined;
  readonly maxRounds: number | undefined;
  readonly maxTokens: number | undefined;
  /** In the currency of the price. */
  readonly maxCost: number | undefined;
  readonly price: ModelPrice | undefined;
}

/** Throws a {@link CommandFailure} where what was typed makes no plan, in whichever repository. */
export function checkPlanQuestion(instruction: string | undefined, options: PlanQuestion): void {
  const { oracle = [], model = [], at, seed, fix, findings } = options;
  checkModelNames(model);
  for (const one of oracle) checkOracle(one);
  if (instruction?.trim() === "") throw usage("The instruction is empty. Say what is to be done, or leave it out.");
  const given = Object.entries({ at, seed, fix: fix || undefined, findings }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1) {
    const names = listed(given.map(([name]) => `--${name}`));
    throw usage(`A plan begins in one of ${names}. Give one of them.`);
  }
}

function checkOracle(command: string): void {
  try {
    parseOracleCommand(command);
  } catch (error) {
    if (!(error instanceof EmendError)) throw error;
    throw new CommandFailure(error.code, `${error.message}.`, { exitCode: exitCodes.usage, cause: error });
  }
}

/** Finds what a plan begins with in a repository, and what it is carried out with there. */
export async function setUpPlan(
  instruction: string | undefined,
  { root, options }: { readonly root: string; readonly options: PlanQuestion },
  outside: SeedOutside,
): Promise<{ readonly found: FoundSeeds; readonly setup: PlanSetup }> {
  const { oracle = [], model = [] } = options;
  const found = await seedsOf(instruction, root, options, outside);
  const { start, left } = found;
  const unbounded = { oracles: oracle, models: model, start, left, isWritten: false, limits: {} };
  return { found, setup: await boundedSetup(unbounded, { root, options }, outside) };
}

/** What a plan is carried out with, with the bounds that are told now in place of others. */
export async function boundedSetup(
  setup: PlanSetup,
  { root, options }: { readonly root: string; readonly options: PlanBounds & Pick<PlanQuestion, "trust"> },
  outside: PlanOutside,
): Promise<PlanSetup> {
  const { model: models = setup.models, oracleTimeout, maxSteps, maxRounds, maxTokens, price } = options;
  const { price: _, maxCost: __, ...before } = setup.limits;
  const maxCost = options.maxCost ?? setup.limits.maxCost;
  const isSameMoney = (options.model ?? options.maxCost ?? price) === undefined;
  const money = isSameMoney
    ? setup.limits
    : await moneyOfPlan({ root, models, price, maxCost, isTrusted: options.trust }, outside);
  const limits = {
    ...before,
    ...(maxSteps !== undefined && { maxSteps }),
    ...(maxRounds !== undefined && { maxRounds }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(money.price !== undefined && { price: money.price }),
    ...(money.maxCost !== undefined && { maxCost: money.maxCost }),
  };
  return { ...setup, models, limits, ...(oracleTimeout !== undefined && { oracleTimeoutMs: oracleTimeout * 1000 }) };
}

async function seedsOf(
  instruction: string | undefined,
  root: string,
  { at, seed, fix, findings, oracle = [] }: PlanQuestion,
  outside: SeedOutside,
): Promise<FoundSeeds> {
  if (fix) return seedsOfOracles({ root, oracles: oracle }, outside);
  if (findings !== undefined) return seedsOfOutput(findings, root, outside);
  return findSeeds({ root, instruction, at, seed }, outside);
}

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
