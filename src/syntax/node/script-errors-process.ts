import type { ScriptGoal, ScriptProblem } from "../script-errors.ts";
import { serveIsolated } from "./isolated-process.ts";
import { parseHere } from "./parse-here.ts";

/** A request to this process. */
export interface ScriptQuestion {
  readonly text: string;
  readonly goal: ScriptGoal;
}

serveIsolated<ScriptQuestion, readonly ScriptProblem[]>(({ text, goal }) => [parseHere(text, goal)]);
