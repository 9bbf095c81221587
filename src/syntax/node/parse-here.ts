import { type ParserOptions, parseSync } from "oxc-parser";
import type { ScriptGoal, ScriptProblem } from "../script-errors.ts";

/**
 * Parses a script with `oxc-parser` in this process, and returns its errors in the order of the
 * parser; empty for a valid text. Its offsets are UTF-16 already. An error without a place is at
 * the first character.
 *
 * The tree is never requested, so it is never copied to JavaScript. Of the errors that need more
 * than the grammar, only a `break` or `continue` without its loop counts.
 */
export function parseHere(text: string, { kind, source }: ScriptGoal): readonly ScriptProblem[] {
  const read = (options: ParserOptions) =>
    parseSync(`text.${kind === "dts" ? "d.ts" : kind}`, text, {
      lang: kind,
      sourceType: source,
      ...options,
    }).errors.filter(({ severity }) => severity === "Error");
  let errors = read({});
  // It takes eight times as long.
  if (errors.length === 0 && /\b(?:break|continue)\b/.test(text)) {
    errors = read({ showSemanticErrors: true }).filter(({ message }) => /^Illegal (?:break|continue)\b/.test(message));
  }
  return errors.map(({ message, labels: [at] }) => ({
    message,
    start: at?.start ?? 0,
    end: at?.end ?? Math.min(1, text.length),
  }));
}
