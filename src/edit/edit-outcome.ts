import type { FormatName, Lenience, Refusal } from "../formats/index.ts";
import type { SyntaxIssue } from "../syntax/index.ts";
import type { FileTexts, WorkspaceEdit } from "../text/index.ts";
import type { BoundaryRepair } from "./boundary-repair.ts";

/** What became of an instruction. */
export type EditOutcome =
  /** A change that fits the files, and adds no syntax error to them. */
  | { readonly kind: "offered"; readonly proposal: EditProposal }
  /** The model says that there is nothing to change, or its edits change nothing. */
  | { readonly kind: "unchanged"; readonly message: string }
  /** Edits could not be read or placed. `best` holds those that could. */
  | {
      readonly kind: "refused";
      readonly refusals: readonly Refusal[];
      readonly best: EditProposal | undefined;
      /** How the answer begins, where it holds no edit. */
      readonly said?: readonly string[];
    }
  /** The change breaks the syntax of files, also after all tries. `best` has the fewest new errors. */
  | { readonly kind: "broken"; readonly issues: readonly FileIssue[]; readonly best: EditProposal }
  /** The oracle is not content, also after all tries; `report` is what it said last. */
  | { readonly kind: "failed-check"; readonly report: string; readonly best: EditProposal }
  /** Lines that are to change were changed by somebody else meanwhile. */
  | { readonly kind: "stale"; readonly paths: readonly string[]; readonly best: EditProposal };

/** A change, and all that a person should know of how it came about. */
export interface EditProposal {
  /** By the files' paths, on `files`. */
  readonly edit: WorkspaceEdit;
  /** The texts that `edit` speaks of: those of the request, or where somebody changed them meanwhile, as they are now. */
  readonly files: FileTexts;
  /** The format that was answered in; `regions` where the places were given, and their new texts alone were asked for. */
  readonly format: FormatName | "regions";
  /** Boundaries of edits that were moved. */
  readonly repairs: readonly BoundaryRepair[];
  /** What was understood although it was not written as it should be. */
  readonly leniences: readonly Lenience[];
  /** What a person should look at, such as a file that shrank to a small part of itself. */
  readonly warnings: readonly string[];
  /** How often the model was asked. */
  readonly asks: number;
}

/** A syntax error that a change would add to a file. */
export interface FileIssue {
  readonly path: string;
  /** In the text after the change. */
  readonly issue: SyntaxIssue;
  /** Where the mistake more likely is: a line of the text after the change, from 0. */
  readonly suspectLine: number;
}

/** What an answer does to the files as far as it has come. */
export interface Preview {
  readonly edit: WorkspaceEdit;
  /** Where lines are being written, in the file before the edit. */
  readonly at?: FilePlace;
}

/** In front of a line of a file, from 0. */
export interface FilePlace {
  readonly path: string;
  readonly line: number;
}

/** What happens on the way, for those who watch. */
export type EditEvent =
  /** The model is asked for the `ask`-th time, from 1: first, to go on where it was cut off, or to mend its answer. */
  | {
      readonly kind: "asking";
      readonly ask: number;
      readonly why: "first" | "refused" | "broken" | "failed-check" | "continued";
      /** Of `continued`: where in the files the answer was, if that can be told. */
      readonly at?: FilePlace;
    }
  /** The model's words, as they come. */
  | { readonly kind: "text"; readonly text: string }
  /** What the answer does to the files as far as it has come, line by line; nothing of it is final. */
  | ({ readonly kind: "preview" } & Preview)
  /** The answer was read and judged; the outcome unless there is another try. */
  | { readonly kind: "judged"; readonly outcome: EditOutcome };
