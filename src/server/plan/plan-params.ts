import type { StepId } from "../../plan/index.ts";
import { checkParams } from "../check-params.ts";
import type { PlanContinueParams, PlanStartParams } from "../protocol/plan-protocol.ts";
import { wrongParams } from "../request-error.ts";
import type { PlanRequestLimits } from "./plan-host.ts";

/** Checks the parameters of `emend/plan/start`. Throws a `ResponseError` with `InvalidParams`. */
export function checkStart(what: string, params: PlanStartParams): void {
  checkParams(what, params, {
    ...{ "instruction?": "text", "at?.uri": "text", "seed?": "text" },
    ...{ "oracles?": "list", "models?": "list" },
  });
  const { instruction, at, seed, oracles = [], models = [] } = params;
  if (at !== undefined && seed !== undefined)
    throw wrongParams("A plan starts from only one of `at` and `seed`. Give one of them.");
  if (at !== undefined && instruction === undefined) throw wrongParams("`at` requires an `instruction`.");
  if (at !== undefined && !(Number.isInteger(at.line) && at.line >= 0))
    throw wrongParams("`at.line` must be a line, from 0.");
  if (seed === "findings" && oracles.length === 0)
    throw wrongParams("`findings` requires one of `oracles`, such as `npx tsc --noEmit`.");
  checkTexts("oracles", oracles);
  checkTexts("models", models);
}

/**
 * Checks the parameters of `emend/plan/continue`. Throws a `ResponseError` with `InvalidParams`.
 */
export function checkContinue(what: string, params: PlanContinueParams): void {
  checkParams(what, params, { "done?": "list", "answer?.text": "text", "models?": "list" });
  const { done = [], answer, models = [] } = params;
  for (const step of done) checkStep(step);
  if (answer !== undefined) checkStep(answer.step);
  checkTexts("models", models);
}

/**
 * Reads the limits of a plan. Throws a `ResponseError` with `InvalidParams` where one is not a
 * positive integer.
 */
export function limitsOf({ maxSteps, maxRounds, maxTokens }: PlanRequestLimits): PlanRequestLimits {
  for (const [name, value] of Object.entries({ maxSteps, maxRounds, maxTokens })) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw wrongParams(`\`${name}\` must be a whole number, from 1.`);
  }
  return { maxSteps, maxRounds, maxTokens };
}

function checkTexts(name: string, values: readonly unknown[]): void {
  if (values.every((value) => typeof value === "string")) return;
  throw wrongParams(`\`${name}\` must be a list of strings.`);
}

/**
 * Reads a step's number. Throws a `ResponseError` with `InvalidParams` where it is not a positive
 * integer.
 */
export function checkStep(step: unknown): StepId {
  if (Number.isInteger(step) && (step as number) > 0) return step as number;
  throw wrongParams("A step must be a number, from 1.");
}
