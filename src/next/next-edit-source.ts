import type { PastEdit } from "../context/index.ts";
import type { Edit, TextRange } from "../text/index.ts";
import type { BoostedTrees } from "./boosted-trees.ts";
import type { WorkspaceTexts } from "./workspace-texts.ts";

/** Where a person is, and what was done lately. Plain data over the workspace's present texts. */
export interface Moment {
  /** The file that the person is in, by its path from the workspace's root. */
  readonly path: string;
  /** Its language's id in the registry. */
  readonly language: string;
  /** Its text, which is also what `files` says of it. */
  readonly text: string;
  readonly cursor: number;
  /** What was edited lately in all files, the oldest first. Lines speak of the present texts. */
  readonly history: readonly PastEdit[];
  /** Files that were moved lately, the oldest first; none unless told. */
  readonly moved?: readonly FileMove[];
  readonly files: WorkspaceTexts;
}

/** A file that has another path now. Paths are from the workspace's root. */
export interface FileMove {
  readonly from: string;
  readonly to: string;
}

/** Who proposed an edit: rewrites learnt from edits, names that changed, errors that came, declarations that changed, or a model. */
export type NextEditOrigin = "example" | "name" | "fix" | "impact" | "model";

/** Something that may be the next edit. Plain data; offsets speak of the present text of the file at `path`. */
export interface Proposal {
  readonly origin: NextEditOrigin;
  readonly path: string;
  /** What is to be done there, as one step; nothing where the place is only to be looked at. */
  readonly edit?: Edit;
  /** The place, `[start, end)`: where the edit is, or what is to be looked at. */
  readonly place: TextRange;
  /** Why, for a person, as the end of "Suggested": `like your last 2 edits`, `renamed to total`. English, no full stop. */
  readonly reason: string;
  /** How likely it is that the person makes just this edit, or has to look there, from 0 to 1, before anybody checked it. */
  readonly likelihood: number;
  /** Where fitted trees say how likely it is: they, and the numbers that they were asked with, but for those of what was answered before, which come last. */
  readonly judged?: { readonly trees: BoostedTrees; readonly numbers: readonly number[] };
  /** Whether its name is all that says of the place that it is meant, as of a member that something else declares: types, where they are known, have to want it. */
  readonly isByNameAlone?: boolean;
  /** Whether it writes only what has to stand there, and leaves open what nobody can know without a person, or a model, which is asked there in its stead where one is at hand. */
  readonly isSkeleton?: boolean;
  /** Says which proposals are one thing, such as all places of one rename: they are offered one after the other, or accepted together. */
  readonly chain?: string;
}

/** Proposes next edits without a model. */
export interface NextEditSource {
  readonly origin: Exclude<NextEditOrigin, "model">;
  /**
   * What may be next, the likeliest and nearest first, no two at one place. It may be asked for the first few only: the rest is not computed then.
   * It does not write, and does not check what others check: syntax, types, what was undone or rejected.
   */
  propose(moment: Moment, options?: { readonly signal?: AbortSignal }): AsyncIterable<Proposal> | Iterable<Proposal>;
}
