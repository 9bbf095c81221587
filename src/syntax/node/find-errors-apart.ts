import type { CheckedDocument } from "../edited-errors.ts";
import type { SyntaxDiagnostic } from "../syntax-diagnostic.ts";
import { IsolatedProcess } from "./isolated-process.ts";

/** The time limit of one text, in milliseconds. One of 2 million characters takes about 2,000. */
const timeoutMs = 60_000;

/** One process for all texts: it starts with the first one, and ends when it is idle. */
const isolated = new IsolatedProcess<CheckedDocument, readonly SyntaxDiagnostic[]>({
  module: new URL(`./tree-errors-process${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
  timeoutMs,
});

/**
 * Finds the syntax errors of a document with a parser in a separate process, so that other work can
 * run; `undefined` where that took a minute or crashed. Never rejects.
 */
export async function findErrorsApart(document: CheckedDocument): Promise<SyntaxDiagnostic[] | undefined> {
  const answer = await isolated.ask(document);
  return answer.kind === "answered" ? answer.parts.flat() : undefined;
}
