import type { FormatName, Normalization, Refusal } from "../formats/index.ts";
import type { FileTexts, WorkspaceEdit } from "../text/index.ts";
import type { BoundaryRepair } from "./boundaries/boundary-repair.ts";
import type { AddedIssue } from "./repair/added-issues.ts";

/** The outcome of an instruction. */
export type EditOutcome =
  /** A change that fits the files and adds no syntax error to them. */
  | { readonly kind: "offered"; readonly proposal: EditProposal }
  /** The model answered that nothing needs to change, or its edits have no effect. */
  | { readonly kind: "unchanged"; readonly message: string }
  /**
   * Some operations could not be read or resolved. `best` has those that could; `undefined` if
   * none.
   */
  | {
      readonly kind: "refused";
      readonly refusals: readonly Refusal[];
      readonly best: EditProposal | undefined;
      /** The first rows of the answer, where it contains no edit. */
      readonly firstRows?: readonly string[];
    }
  /** The change adds syntax errors after all retries. `best` is the attempt with the fewest. */
  | { readonly kind: "broken"; readonly issues: readonly AddedIssue[]; readonly best: EditProposal }
  /** The verification command fails after all retries; `report` is its last output. */
  | { readonly kind: "failed-verification"; readonly report: string; readonly best: EditProposal }
  /** Lines that the edit changes were changed meanwhile by something else. */
  | { readonly kind: "stale"; readonly paths: readonly string[]; readonly best: EditProposal };

/** A change, with everything that was normalized, repaired or warned about on the way. */
export interface EditProposal {
  /** The change, by paths, relative to `files`. */
  readonly edit: WorkspaceEdit;
  /**
   * The texts that `edit` applies to: those of the request, or the current ones where they changed
   * meanwhile.
   */
  readonly files: FileTexts;
  /**
   * The format of the answer; `regions` where only the new texts of given regions were requested.
   */
  readonly format: FormatName | "regions";
  /** Boundaries of edits that were corrected. */
  readonly repairs: readonly BoundaryRepair[];
  /** What was tolerated while reading or matching the answer. */
  readonly normalizations: readonly Normalization[];
  /** What a person should check, such as a file that shrank to a small part of itself. */
  readonly warnings: readonly string[];
  /** The number of requests sent to the model. */
  readonly requests: number;
}

/** The effect of a partial answer on the files. */
export interface Preview {
  readonly edit: WorkspaceEdit;
  /** Where lines are being written, in the file before the edit. */
  readonly at?: FilePlace;
}

/** A place in front of a line of a file; `line` counts from 0. */
export interface FilePlace {
  readonly path: string;
  readonly line: number;
}

/** A progress event of one instruction. */
export type EditEvent =
  /**
   * A request is sent to the model; `ask` counts the requests from 1. `why`: the first one, a
   * continuation after a cut, or a retry.
   */
  | {
      readonly kind: "asking";
      readonly request: number;
      readonly why: "first" | "refused" | "broken" | "failed-verification" | "continued";
      /** For `continued`: where in the files the answer had come to, where that is known. */
      readonly at?: FilePlace;
    }
  /** A piece of the model's answer, as it streams in. */
  | { readonly kind: "text"; readonly text: string }
  /** The effect of the partial answer on the files, line by line; none of it is final. */
  | ({ readonly kind: "preview" } & Preview)
  /** The answer was read and checked; `outcome` is final unless another request follows. */
  | { readonly kind: "judged"; readonly outcome: EditOutcome };

/**
 * Prints a place for people, as the line in front of it counted from 1: `src/a.ts:12`. The
 * beginning of a file is line 1.
 */
export function printFilePlace({ path, line }: FilePlace): string {
  return `${path}:${Math.max(line, 1)}`;
}
