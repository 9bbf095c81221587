import { setImmediate } from "node:timers/promises";
import type { CheckedDocument } from "../edited-errors.ts";
import { LastTree } from "../last-tree.ts";
import { createSyntax } from "../syntax.ts";
import type { SyntaxDiagnostic } from "../syntax-diagnostic.ts";
import { serveIsolated } from "./isolated-process.ts";
import { readGrammar } from "./open-syntax.ts";

// In slices, so that this process notices the end of its owner.
const nowMs = () => performance.now();
const syntax = createSyntax({
  readGrammar,
  thread: { yieldThread: () => setImmediate(), nowMs, cpuMs: nowMs, givesUp: false },
});

/**
 * The text before an edit is read after that with the edit. The process ends soon after its last
 * text.
 */
const last = new LastTree();

/** How many errors are sent at a time, so that reading them takes the owner a few milliseconds. */
const errorsAtATime = 2_000;

serveIsolated<CheckedDocument, readonly SyntaxDiagnostic[]>(async function* (document) {
  const errors = await syntax.syntaxErrors(document, { last });
  for (let at = 0; at < errors.length; at += errorsAtATime) yield errors.slice(at, at + errorsAtATime);
});
