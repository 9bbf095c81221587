import type { TypeFinding } from "../codebase/index.ts";
import type { LifeEnd } from "../complete/index.ts";
import type { SyntaxIssue } from "../syntax/index.ts";
import type { Edit, TextRange } from "../text/index.ts";
import type { EditRefusal } from "./edit-filters.ts";
import type { NextEditOrigin, Proposal } from "./next-edit-source.ts";
import type { ShownScene } from "./shown-scene.ts";
import type { UndoRefusal } from "./undo-guard.ts";

/** A next edit that is offered, or a place that is worth a look. */
export interface NextEditSuggestion {
  /** Names the suggestion when it is reported as shown, accepted or rejected. */
  readonly id: string;
  /** The file it is in, by its path from the workspace's root; not always the one that was asked for. */
  readonly path: string;
  /** The text of that file that the offsets speak of. */
  readonly text: string;
  /** What accepting it does; absent where the place is only to be looked at. */
  readonly edit?: Edit;
  /** Where it is, `[start, end)`. */
  readonly place: TextRange;
  readonly origin: NextEditOrigin;
  /** The model's name, where it is a model's. */
  readonly model?: string;
  /** Why, for a person: `like your last 2 edits`. */
  readonly reason: string;
  /** From 0 to 1, where it is known. */
  readonly likelihood?: number;
  /** Says which of {@link others} are one thing with it; see `Proposal.chain`. */
  readonly chain?: string;
  /** Whether it was found before, and only followed what was typed since. */
  readonly isReused: boolean;
  /** Further proposals, the nearest first: not all of them were checked, and those that are withheld come to nothing when their turn is. At most {@link maxOthers}. */
  readonly others: readonly Proposal[];
}

/** How many further places are told. */
export const maxOthers = 50;

/** Why nothing is offered. One line each in `printNextSilence`. */
export type NextSilence =
  // The gate.
  | { readonly kind: "language-off"; readonly language: string; readonly setting: string }
  | { readonly kind: "secret-file"; readonly path: string }
  | { readonly kind: "ignored-file"; readonly path: string; readonly by: string }
  | { readonly kind: "too-large"; readonly characters: number; readonly limit: number }
  /** Something was rejected lately; `leftMs` is how long nothing comes by itself. */
  | { readonly kind: "rejected-lately"; readonly leftMs: number }
  // Time.
  | { readonly kind: LifeEnd }
  // What is known.
  /** There is a suggestion for when the cursor is back where it was. */
  | { readonly kind: "hidden" }
  /** Nothing was edited lately that anything could follow from, and no model is asked. */
  | { readonly kind: "nothing-edited" }
  /** Nothing was proposed, or all of it withheld. */
  | { readonly kind: "nothing-follows" }
  // The model, where nothing else was proposed.
  | { readonly kind: "model-failed"; readonly code: string; readonly message: string }
  | { readonly kind: "timed-out"; readonly afterMs: number }
  /** The model said that there is nothing to change. */
  | { readonly kind: "model-silent" }
  /** Nothing of what the model said may be offered; `reason` is that of its last edit. */
  | { readonly kind: "model-withheld"; readonly reason: HoldReason }
  /** The model's answer was cut before an edit was sure. */
  | { readonly kind: "model-cut"; readonly why: "length" | "content-filter" }
  | { readonly kind: "model-unreadable"; readonly message: string }
  /** The model cannot be shown the place. */
  | { readonly kind: "model-not-asked"; readonly why: string };

/** Why a proposal is withheld. */
export type HoldReason =
  | EditRefusal
  | UndoRefusal
  | { readonly kind: "rejected" }
  /** `setting` is who says how likely it must be; `next.eagerness` unless told. */
  | { readonly kind: "unlikely"; readonly threshold: number; readonly setting?: string }
  | { readonly kind: "secret-file" | "ignored-file" }
  /** It adds an error of syntax. */
  | { readonly kind: "breaks-syntax"; readonly issue: SyntaxIssue }
  /** It takes away what declared names that are used as before. */
  | { readonly kind: "leaves-undeclared"; readonly names: readonly string[] }
  /** It says members that nothing has, instead of others. */
  | { readonly kind: "unknown-members"; readonly names: readonly string[] }
  /** A place of a rename of which nothing but its name says that it is meant: no error of types goes with it. */
  | { readonly kind: "mends-nothing" }
  /** It adds errors of types. */
  | { readonly kind: "breaks-types"; readonly findings: readonly TypeFinding[] };

/** A proposal that is not offered. */
export interface HeldProposal {
  readonly proposal: Proposal;
  readonly reason: HoldReason;
}

/** One step of the walk, and how long it took. */
export interface NextTraceStep {
  readonly step: "gate" | "reuse" | "sources" | "model" | "check" | "offer";
  readonly tookMs: number;
  /** In a few words, for a person. */
  readonly detail: string;
}

/** What became of a request, and by which way. */
export type NextEditOutcome = {
  readonly trace: readonly NextTraceStep[];
  /** What was proposed and withheld before that. */
  readonly held: readonly HeldProposal[];
  /** What a model was shown; of an answer that is reused, what it was shown then, while that is remembered. Absent where none was asked. */
  readonly shown?: ShownScene;
} & (
  | { readonly kind: "offered"; readonly suggestion: NextEditSuggestion }
  | { readonly kind: "silent"; readonly reason: NextSilence }
);
