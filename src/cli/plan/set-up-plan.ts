import type { ModelPrice } from "../../config/index.ts";
import { parseVerifierCommand } from "../../plan/index.ts";
import type { PlanSetup } from "../../plan/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { checkModelNames } from "../named-models.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { badUsage, CommandFailure } from "../terminal/failure.ts";
import { listed } from "../terminal/print-amount.ts";
import { seedsOfOutput, seedsOfVerifiers } from "./finding-seeds.ts";
import { moneyOfPlan } from "./plan-price.ts";
import type { PlanOutside } from "./plan-reporter.ts";
import { type FoundSeeds, findSeeds, type SeedOutside } from "./plan-seeds.ts";

/** The options that define a plan. Plain data. */
export interface PlanQuestion extends PlanBounds {
  /** `FILE:LINE`. */
  readonly at: string | undefined;
  /** A range of git, the file of a diff, `-` or `working-tree`. */
  readonly seed: string | undefined;
  /** Begin with the diagnostics of the verification commands. */
  readonly fix: boolean;
  /** A file with saved output, or `-`, optionally after a format and a colon. */
  readonly findings: string | undefined;
  readonly verify: readonly string[] | undefined;
  /** Whether the configuration of the workspace may run code. */
  readonly trust: boolean;
}

/** The models and limits of a plan. */
export interface PlanBounds {
  readonly model: readonly string[] | undefined;
  /** In seconds. */
  readonly verifyTimeout?: number | undefined;
  readonly maxSteps: number | undefined;
  readonly maxRounds: number | undefined;
  readonly maxTokens: number | undefined;
  /** In the currency of the price. */
  readonly maxCost: number | undefined;
  readonly price: ModelPrice | undefined;
}

/**
 * Checks the options of a plan, independent of the repository. Throws a {@link CommandFailure}
 * where they are invalid.
 */
export function checkPlanQuestion(instruction: string | undefined, options: PlanQuestion): void {
  const { verify = [], model = [], at, seed, fix, findings } = options;
  checkModelNames(model);
  for (const one of verify) checkVerifier(one);
  if (instruction?.trim() === "") throw badUsage("The instruction is empty. Write one, or leave it out.");
  const given = Object.entries({ at, seed, fix: fix || undefined, findings }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1) {
    const names = listed(given.map(([name]) => `--${name}`));
    throw badUsage(`A plan starts from only one of ${names}. Give one of them.`);
  }
}

function checkVerifier(command: string): void {
  try {
    parseVerifierCommand(command);
  } catch (error) {
    if (!(error instanceof EmendError)) throw error;
    throw new CommandFailure(error.code, `${error.message}.`, { exitCode: exitCodes.usage, cause: error });
  }
}

/**
 * Finds the seeds of a plan in a repository, and makes its setup. Throws a {@link CommandFailure}
 * where there are no seeds, `at` has no instruction, a changed file matches neither side of the
 * change, or the cost is limited and no model is named or the price of one is unknown. Rejects with
 * the signal's reason on abort.
 */
export async function setUpPlan(
  instruction: string | undefined,
  { root, options }: { readonly root: string; readonly options: PlanQuestion },
  outside: SeedOutside,
): Promise<{ readonly found: FoundSeeds; readonly setup: PlanSetup }> {
  const { verify = [], model = [] } = options;
  const found = await seedsOf(instruction, root, options, outside);
  const { start, left } = found;
  const unbounded = { verifiers: verify, models: model, start, left, isWritten: false, limits: {} };
  return { found, setup: await boundedSetup(unbounded, { root, options }, outside) };
}

/**
 * The setup of a plan, with the given models and limits in place of its own. Throws a
 * {@link CommandFailure} where the cost is limited and the price of a model is unknown.
 */
export async function boundedSetup(
  setup: PlanSetup,
  { root, options }: { readonly root: string; readonly options: PlanBounds & Pick<PlanQuestion, "trust"> },
  outside: PlanOutside,
): Promise<PlanSetup> {
  const { model: models = setup.models, verifyTimeout, maxSteps, maxRounds, maxTokens, price } = options;
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
  return { ...setup, models, limits, ...(verifyTimeout !== undefined && { verifyTimeoutMs: verifyTimeout * 1000 }) };
}

async function seedsOf(
  instruction: string | undefined,
  root: string,
  { at, seed, fix, findings, trust, verify = [] }: PlanQuestion,
  outside: SeedOutside,
): Promise<FoundSeeds> {
  if (fix) return seedsOfVerifiers({ root, verifiers: verify }, outside);
  if (findings !== undefined) return seedsOfOutput(findings, root, outside);
  return findSeeds({ root, instruction, at, seed, trust }, outside);
}
