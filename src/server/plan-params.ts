import type { StepId } from "../plan/index.ts";
import { checkParams } from "./check-params.ts";
import type { PlanRequestLimits } from "./plan-host.ts";
import type { PlanContinueParams, PlanStartParams } from "./protocol/plan-protocol.ts";
import { wrongParams } from "./request-error.ts";

/** Throws a `ResponseError` `InvalidParams` where this begins no plan. */
export function checkStart(what: string, params: PlanStartParams): void {
  checkParams(what, params, {
    ...{ "instruction?": "text", "at?.uri": "text", "seed?": "text" },
    ...{ "oracles?": "list", "models?": "list" },
  });
  const { instruction, at, seed, oracles = [], models = [] } = params;
  if (at !== undefined && seed !== undefined)
    throw wrongParams("A plan begins in one of `at` and `seed`. Give one of them.");
  if (at !== undefined && instruction === undefined)
    throw wrongParams("`at` wants an `instruction`: what is to be done there.");
  if (at !== undefined && !(Number.isInteger(at.line) && at.line >= 0))
    throw wrongParams("`at.line` is a line, from 0.");
  if (seed === "findings" && oracles.length === 0)
    throw wrongParams("`findings` are what `oracles` say. Name one, such as `npx tsc --noEmit`.");
  checkTexts("oracles", oracles);
  checkTexts("models", models);
}

/** Throws a `ResponseError` `InvalidParams` where no plan goes on with this. */
export function checkContinue(what: string, params: PlanContinueParams): void {
  checkParams(what, params, { "done?": "list", "answer?.text": "text", "models?": "list" });
  const { done = [], answer, models = [] } = params;
  for (const step of done) checkStep(step);
  if (answer !== undefined) checkStep(answer.step);
  checkTexts("models", models);
}

/** The limits that are told. Throws a `ResponseError` `InvalidParams`. */
export function limitsOf({ maxSteps, maxRounds, maxTokens }: PlanRequestLimits): PlanRequestLimits {
  for (const [name, value] of Object.entries({ maxSteps, maxRounds, maxTokens })) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw wrongParams(`\`${name}\` is a whole number, from 1.`);
  }
  return { maxSteps, maxRounds, maxTokens };
}

function checkTexts(name: string, values: readonly unknown[]): void {
  if (values.every((value) => typeof value === "string")) return;
  throw wrongParams(`\`${name}\` is a list of texts.`);
}

/** A step by its number. Throws a `ResponseError` `InvalidParams`. */
export function checkStep(step: unknown): StepId {
  if (Number.isInteger(step) && (step as number) > 0) return step as number;
  throw wrongParams("A step is named by its number, from 1.");
}
