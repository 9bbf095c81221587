import type { SourcePlace } from "./grammar-source.ts";

/** Something about a grammar that its author should know. */
export interface GrammarIssue {
  /** A stable, machine-readable name, such as `unknown-name`. */
  readonly code: string;
  /** With an error there is no grammar to use; a warning names what is likely not meant. */
  readonly severity: "error" | "warning";
  /** What is wrong and what to do about it, in a sentence. */
  readonly message: string;
  /** The included file it is in; the grammar's own text where there is none. */
  readonly file?: string;
  /** Line of the notation, from 0, where there is one. */
  readonly line?: number;
  /** Column of that line, in UTF-16 code units from 0. */
  readonly column?: number;
}

/** The place of what an issue is about, as the issue says it. */
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
 * An issue as a line for people, such as `script.grammar:3:5: error: …`; lines and columns count
 * from 1 there.
 */
export function printGrammarIssue(issue: GrammarIssue, file = issue.file ?? ""): string {
  const place = [file, issue.line, issue.column]
    .filter((part) => part !== undefined && part !== "")
    .map((part) => (typeof part === "number" ? part + 1 : part))
    .join(":");
  return `${place === "" ? "" : `${place}: `}${issue.severity}: ${issue.message}`;
}
