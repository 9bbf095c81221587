import { nestingBound } from "../nesting.ts";
import type { ScriptParser, ScriptProblem } from "../script-errors.ts";
import { IsolatedProcess } from "./isolated-process.ts";
import { parseHere } from "./parse-here.ts";
import type { ScriptQuestion } from "./script-errors-process.ts";

/** Longer texts, in UTF-16 units, take longer than other work can wait: some 10 milliseconds. */
const maxCharactersHere = 60_000;

/**
 * Text that nests deeper may take more stack than there is, which ends a process. Code that people
 * write stays below 300.
 */
const maxNestingHere = 1_000;

/** How long a text may take, in milliseconds. One of 2 million characters takes about 500. */
const timeoutMs = 1_500;

/** One for all: it is started with the first text that needs it, and ends when it is idle. */
const isolated = new IsolatedProcess<ScriptQuestion, readonly ScriptProblem[]>({
  module: new URL(`./script-errors-process${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
  timeoutMs,
});

/**
 * Reads a script with `oxc-parser`: a text of ordinary size in this process, one that is long or
 * nests deeply in a process of its own. `undefined` where that took too long or ended it.
 */
export const parseScript: ScriptParser = (text, goal) => {
  if (text.length <= maxCharactersHere && nestingBound(text) <= maxNestingHere) return parseHere(text, goal);
  return isolated.ask({ text, goal }).then((answer) => (answer.kind === "answered" ? answer.parts[0] : undefined));
};
