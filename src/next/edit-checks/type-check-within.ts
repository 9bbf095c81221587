import type { Clock } from "../../codebase/index.ts";
import { answerWithin } from "../engine/answer-within.ts";
import type { EditTypeCheck } from "./edit-type-check.ts";

/**
 * Wraps a type check with a timeout of `ms` milliseconds, as {@link answerWithin} does. On timeout
 * `judge` resolves to `unknown` and `hasErrors` to `false`.
 */
export function typeCheckWithin(judge: EditTypeCheck, clock: Clock, ms: number): EditTypeCheck {
  const within = answerWithin(clock, () => ms);
  return {
    judge: (proposed, options = {}) =>
      within(proposed.path, { kind: "unknown" }, (signal) => judge.judge(proposed, { signal }), options.signal),
    hasErrors: (paths, options = {}) =>
      within(paths[0], false, async (signal) => (await judge.hasErrors?.(paths, { signal })) ?? true, options.signal),
  };
}
