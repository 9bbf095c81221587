import type { FileDiagnostic } from "../../analysis/index.ts";
import type { AbortOptions } from "../../async/index.ts";
import type { PastEdit } from "../../context/index.ts";
import type { Edit, TextRange } from "../../text/index.ts";
import type { WorkspaceTexts } from "../engine/text-index.ts";
import type { BoostedTrees } from "./boosted-trees.ts";

/**
 * The input of one request for a next edit: document, cursor and edit history. Plain data over the
 * present texts of the workspace.
 */
export interface NextEditContext {
  /** The path of the document, relative to the workspace root. */
  readonly path: string;
  /** The language id of the document. */
  readonly language: string;
  /** The text of the document; equals `files.textOf(path)`. */
  readonly text: string;
  readonly cursor: number;
  /**
   * The recent edits in all files, the oldest first. Their line ranges refer to the present texts.
   */
  readonly history: readonly PastEdit[];
  /** The files that were moved recently, the oldest first. Absent means none. */
  readonly moved?: readonly FileMove[];
  readonly files: WorkspaceTexts;
  /** Whether all places are wanted, not only the nearest; default: false. */
  readonly isExhaustive?: boolean;
}

/** A file that was moved. Paths are relative to the workspace root. */
export interface FileMove {
  readonly from: string;
  readonly to: string;
}

/**
 * The provider of a proposal: rewrites learnt from edits, renamed names, diagnostics that edits
 * added, changed declarations, or a model.
 */
export type NextEditOrigin = "example" | "name" | "fix" | "impact" | "model";

/**
 * A candidate for the next edit. Plain data; offsets refer to the present text of the file at
 * `path`.
 */
export interface Proposal {
  readonly origin: NextEditOrigin;
  readonly path: string;
  /** The edit, applied as one step. Absent where the proposal only points at a place to look at. */
  readonly edit?: Edit;
  /** The place `[start, end)` of the edit, or of the code to look at. */
  readonly place: TextRange;
  /**
   * Why it is proposed, for people, as the end of "Suggested": `like your last 2 edits`, `renamed
   * to total`. English, without a full stop.
   */
  readonly reason: string;
  /** The type error that the recent edits caused at the place, or that the edit repairs. */
  readonly error?: FileDiagnostic;
  /** Whether the type checker finds no new error after the edit, and {@link error} gone. */
  readonly isCertain?: boolean;
  /**
   * The probability, in [0, 1], that the person makes exactly this edit or has to look there,
   * before the edit checks.
   */
  readonly likelihood: number;
  /**
   * The trees that computed the likelihood and their feature values, without the features of
   * earlier feedback, which come last. Absent where no trees are used.
   */
  readonly judged?: { readonly trees: BoostedTrees; readonly numbers: readonly number[] };
  /**
   * Whether only its name connects the place with the change, as for a member that another
   * declaration also has. Where types are known, the type check must confirm it.
   */
  readonly isByNameAlone?: boolean;
  /**
   * Whether it writes a stub: the code that is certainly needed, with open places that only a
   * person or a model can fill. Where a model is available, the model is requested there instead.
   */
  readonly isStub?: boolean;
  /**
   * The id of a chain: proposals with the same id belong together, such as all places of one
   * rename. They are suggested one after the other or accepted together.
   */
  readonly chain?: string;
}

/** How the proposals of a provider are ranked, checked and learnt from. */
export interface ProviderPolicy {
  /** Feedback on a proposal also counts for later proposals of the same group. */
  readonly trustGroup: string;
  /**
   * What a chain is. `one-change`, such as a rename: its places are about equally likely, and an
   * equal edit of another provider joins it. `similar-edits`: only those that are likely enough are
   * accepted together, and a proposal of the same edit that is part of one change is preferred.
   * Absent: all its edits are accepted together.
   */
  readonly chain?: "one-change" | "similar-edits";
  /** Whether the names that an edit writes have to be declared, and its members known. */
  readonly needsKnownNames?: boolean;
  /** Whether an edit may add type errors like those of the user's own edits. */
  readonly mayAddSimilarErrors?: boolean;
  /** Whether edits are proposed because they fix errors: fixing them makes none likelier. */
  readonly isMadeOfErrors?: boolean;
}

/** A proposal with what its provider declares. Outcomes do not contain the added fields. */
export interface ProvidedProposal extends Proposal {
  readonly policy: ProviderPolicy;
  /** The provider that computes the rest of the chain; a model's edit has none. */
  readonly chainProvider?: NextEditProvider;
}

/** Proposes next edits without a model. */
export interface NextEditProvider {
  /** The label of its proposals in outcomes, recordings and settings. */
  readonly origin: Exclude<NextEditOrigin, "model">;
  readonly policy: ProviderPolicy;
  /**
   * Yields proposals for a request, the likeliest and nearest first, at most one per place. The
   * caller may stop after the first few; the rest is then not computed.
   *
   * Does not write files, and leaves syntax, types, undone edits and rejections to the edit checks.
   */
  propose(context: NextEditContext, options?: AbortOptions): AsyncIterable<Proposal> | Iterable<Proposal>;
  /** Whether {@link readOn} has work to do. */
  readonly isBehind?: boolean;
  /**
   * Continues the work that {@link propose} left out because it takes long, and waits for `until`
   * at most. Resolves to `nothing` when no work was left, to `done` when more may be proposed now,
   * and to `late` when `until` settled first. Absent where no work is ever left out.
   */
  readOn?(until: Promise<unknown>): Promise<"nothing" | "done" | "late">;
}
