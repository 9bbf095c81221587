import type { FileDiagnostic } from "../../analysis/index.ts";
import type { DocumentRefusal, LifeEnd, TracedStep } from "../../complete/index.ts";
import type { SyntaxDiagnostic } from "../../syntax/index.ts";
import type { Edit, TextRange } from "../../text/index.ts";
import type { EditRefusal } from "../edit-checks/edit-filters.ts";
import type { UndoRefusal } from "../feedback/undo-guard.ts";
import type { ShownPromptInput } from "../providers/model/build-prompt-input.ts";
import type { NextEditOrigin, Proposal } from "../providers/next-edit-provider.ts";

/** A suggested edit, or a location that the user should look at. */
export interface NextEditSuggestion {
  /** Identifies the suggestion in reports that it was shown, accepted or rejected. */
  readonly id: string;
  /** The file of the edit, relative to the workspace's root; not always the requested one. */
  readonly path: string;
  /** The text of that file; all offsets refer to it. */
  readonly text: string;
  /** The edit that accepting applies; absent where the location is only to be looked at. */
  readonly edit?: Edit;
  /** Its range in {@link text}, `[start, end)`. */
  readonly place: TextRange;
  readonly origin: NextEditOrigin;
  /** The model's name, where a model proposed it. */
  readonly model?: string;
  /** The reason for people: `like your last 2 edits`. */
  readonly reason: string;
  /** The type error that the recent edits caused at the place, or that the edit repairs. */
  readonly error?: FileDiagnostic;
  /** Whether the type checker finds no new error after the edit, and {@link error} gone. */
  readonly isCertain?: boolean;
  /** The likelihood from 0 to 1, where it is known. */
  readonly likelihood?: number;
  /**
   * Identifies the chain: those of {@link others} that belong to the same change have the same
   * value; see `Proposal.chain`.
   */
  readonly chain?: string;
  /** Whether it comes from the cache, rebased over what was typed since. */
  readonly isReused: boolean;
  /**
   * Further proposals, the nearest first, at most {@link maxOthers}, or all where all are wanted.
   * They have not passed all edit checks: some may be filtered out later.
   */
  readonly others: readonly Proposal[];
}

/** The most further proposals of a suggestion. */
export const maxOthers = 50;

/** Why there is no next edit. `describeNoNextEdit` has one line for each. */
export type NoNextEditReason =
  // The gate.
  | DocumentRefusal
  /**
   * A suggestion was rejected recently; for `leftMs` milliseconds no next edit comes automatically.
   */
  | { readonly kind: "rejected-lately"; readonly leftMs: number }
  // Time.
  | { readonly kind: LifeEnd }
  // What is known.
  /** A suggestion is cached for the position where the cursor was. */
  | { readonly kind: "hidden" }
  /** No recent edit could lead to a next edit, and no model is configured or used. */
  | { readonly kind: "nothing-edited" }
  /** Nothing was proposed, or everything was filtered out. */
  | { readonly kind: "nothing-follows"; readonly leftOut?: readonly LeftOut[] }
  // The model, where nothing else was proposed.
  | { readonly kind: "model-failed"; readonly code: string; readonly message: string }
  | { readonly kind: "timed-out"; readonly afterMs: number }
  /** The model answered that nothing changes. */
  | { readonly kind: "model-silent" }
  /** All edits of the model's answer were filtered out; `reason` is that of the last one. */
  | { readonly kind: "model-withheld"; readonly reason: FilterReason }
  /** The model's answer ended early, before an edit was certain. */
  | { readonly kind: "model-cut"; readonly why: "length" | "content-filter" }
  | { readonly kind: "model-unreadable"; readonly message: string }
  /** The place cannot be sent to the model. */
  | { readonly kind: "model-not-requested"; readonly why: string };

/** What was left out of a request, and why. */
export type LeftOut =
  /** The document is too long for providers that use types. Sizes are in UTF-16 units. */
  | { readonly kind: "types"; readonly characters: number; readonly limit: number }
  /** The type checker was not open yet. */
  | { readonly kind: "types-opening" }
  /** The type checker had no answer within `limitMs` milliseconds. */
  | { readonly kind: "types-late"; readonly limitMs: number }
  /**
   * The names of the document or of another long file were not read within `limitMs` milliseconds.
   */
  | { readonly kind: "names"; readonly limitMs: number };

/** Why a proposal is filtered out. `describeFilterReason` has one line for each. */
export type FilterReason =
  | EditRefusal
  | UndoRefusal
  | { readonly kind: "rejected" }
  /** Its likelihood is below `threshold`; `setting` names the setting, default `next.eagerness`. */
  | { readonly kind: "unlikely"; readonly threshold: number; readonly setting?: string }
  | { readonly kind: "secret-file" | "ignored-file" }
  /** It adds a syntax error. */
  | { readonly kind: "breaks-syntax"; readonly issue: SyntaxDiagnostic }
  /** It removes the declaration of names that are still used. */
  | { readonly kind: "leaves-undeclared"; readonly names: readonly string[] }
  /** It uses members that occur nowhere, in place of others. */
  | { readonly kind: "unknown-members"; readonly names: readonly string[] }
  /** An occurrence that only shares the renamed name: its edit fixes no type error. */
  | { readonly kind: "mends-nothing" }
  /** It renames a member other than the renamed one, according to a type checker. */
  | { readonly kind: "other-member" }
  /** It adds type errors. */
  | { readonly kind: "breaks-types"; readonly findings: readonly FileDiagnostic[] };

/** A proposal that was filtered out, and why. */
export interface FilteredProposal {
  readonly proposal: Proposal;
  readonly reason: FilterReason;
}

/** One step of the trace, and the time it took. */
export type NextTraceStep = TracedStep<"gate" | "reuse" | "sources" | "model" | "check" | "offer">;

/** The result of a request, with the trace of its steps. */
export type NextEditOutcome = {
  readonly trace: readonly NextTraceStep[];
  /** The proposals that were filtered out. */
  readonly filteredOut: readonly FilteredProposal[];
  /**
   * The prompt input of the model request; for a reused answer, that of its request while it is
   * remembered. Absent where no model was used.
   */
  readonly shown?: ShownPromptInput;
} & (
  | { readonly kind: "offered"; readonly suggestion: NextEditSuggestion }
  | { readonly kind: "no-suggestion"; readonly reason: NoNextEditReason }
);
