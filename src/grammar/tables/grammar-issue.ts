import { printLocation } from "../../text/index.ts";
import type { SourcePlace } from "./grammar-source.ts";

/** A fault or a likely mistake in a grammar. */
export interface GrammarIssue {
  /** A stable, machine-readable name, such as `unknown-name`. */
  readonly code: string;
  /** `error`: no grammar can be made. `warning`: the grammar works, but likely not as meant. */
  readonly severity: "error" | "warning";
  /** What is wrong and what to do about it, in one sentence. */
  readonly message: string;
  /** The included file, by the name it is included by; absent for the grammar's own text. */
  readonly file?: string;
  /** Line in the notation, from 0, where there is one. */
  readonly line?: number;
  /** Column of that line, in UTF-16 code units from 0. */
  readonly column?: number;
}

/**
 * The line, from 0, and the file of a declaration, as the fields of an issue; without what is
 * unknown.
 */
export function placeOf(at: SourcePlace | undefined): Pick<GrammarIssue, "line" | "file"> {
  return {
    ...(at?.line !== undefined && { line: at.line }),
    ...(at?.file !== undefined && { file: at.file }),
  };
}

/** Whether one of these issues is an error. */
export function hasErrors(issues: readonly GrammarIssue[]): boolean {
  return issues.some((issue) => issue.severity === "error");
}

/**
 * An issue as one line of text, such as `script.grammar:3:5: error: …`. Lines and columns are
 * printed from 1. `file` replaces the name of the included file; without any, only line and column
 * precede.
 */
export function printGrammarIssue(issue: GrammarIssue, file = issue.file ?? ""): string {
  const place = printLocation(file, issue);
  return `${place === "" ? "" : `${place}: `}${issue.severity}: ${issue.message}`;
}
