import { parseSync } from "oxc-parser";
import type { ScriptGoal, ScriptProblem } from "../script-errors.ts";

/**
 * Parses a script with `oxc-parser` in this process, and returns its errors in the order of the
 * parser; empty for a valid text. Its offsets are UTF-16 already. An error without a place is at
 * the first character.
 *
 * The tree is never requested, so it is never copied to JavaScript.
 */
export function parseHere(text: string, { kind, source }: ScriptGoal): readonly ScriptProblem[] {
  const { errors } = parseSync(`text.${kind === "dts" ? "d.ts" : kind}`, text, { lang: kind, sourceType: source });
  return errors
    .filter((error) => error.severity === "Error")
    .map(({ message, labels: [at] }) => ({ message, start: at?.start ?? 0, end: at?.end ?? Math.min(1, text.length) }));
}
