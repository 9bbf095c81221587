import { nestingBound } from "../nesting.ts";
import type { ScriptParser } from "../script-errors.ts";
import type { SyntaxDiagnostic } from "../syntax-diagnostic.ts";
import { IsolatedProcess } from "./isolated-process.ts";
import { parseHere } from "./parse-here.ts";
import type { ScriptQuestion } from "./script-errors-process.ts";

/**
 * The longest text to parse in this process, in UTF-16 code units: about 10 milliseconds of work.
 */
const maxCharactersHere = 60_000;

/**
 * The deepest nesting to parse in this process, since a stack overflow would end it. Handwritten
 * code stays below 300.
 */
const maxNestingHere = 1_000;

/** The time limit of one text, in milliseconds. One of 2 million characters takes about 500. */
const timeoutMs = 1_500;

/**
 * One process for all texts: it starts with the first one that needs it, and ends when it is idle.
 */
const isolated = new IsolatedProcess<ScriptQuestion, readonly SyntaxDiagnostic[]>({
  module: new URL(`./script-errors-process${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
  timeoutMs,
});

/**
 * Parses a script with `oxc-parser`, and returns its errors. A text of at most 60,000 UTF-16 code
 * units with a nesting of at most 1,000 levels is parsed at once in this process, any other one in
 * a separate process: the result is a promise then, of `undefined` where that timed out (1.5
 * seconds) or crashed. Never rejects.
 */
export const parseScript: ScriptParser = (text, goal) => {
  if (text.length <= maxCharactersHere && nestingBound(text) <= maxNestingHere) return parseHere(text, goal);
  return isolated.ask({ text, goal }).then((answer) => (answer.kind === "answered" ? answer.parts[0] : undefined));
};
