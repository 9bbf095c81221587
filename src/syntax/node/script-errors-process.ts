import type { ScriptGoal } from "../script-errors.ts";
import type { SyntaxDiagnostic } from "../syntax-diagnostic.ts";
import { serveIsolated } from "./isolated-process.ts";
import { parseHere } from "./parse-here.ts";

/** A request to this process. */
export interface ScriptQuestion {
  readonly text: string;
  readonly goal: ScriptGoal;
}

serveIsolated<ScriptQuestion, readonly SyntaxDiagnostic[]>(({ text, goal }) => [parseHere(text, goal)]);
