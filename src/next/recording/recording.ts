import type { Edit, TextRange } from "../../text/index.ts";
import type { NextEditOrigin } from "../next-edit-source.ts";

/** A session of edits: what a person did to the files of a workspace, and what was suggested meanwhile. Written as `*.edits.json`. */
export interface Recording {
  /** In their order; no time is before the one in front of it. */
  readonly events: readonly RecordedEvent[];
}

/** What happened, and when: in whole milliseconds since the recording began. */
export type RecordedEvent = { readonly atMs: number } & RecordedAction;

/** What may happen. Paths are from the workspace's root with `/`; offsets count UTF-16 units of the text as it was just then. */
export type RecordedAction =
  /**
   * A file is looked at. `text` is what it says; left out where that is known: it says what it did when it was last heard of. A file without `isNew` was
   * there from the beginning, with this text.
   */
  | {
      readonly kind: "opened";
      readonly path: string;
      /** The language's id in the registry. */
      readonly language: string;
      readonly text?: string;
      readonly isNew?: true;
    }
  /** A file was edited. `version` grows with every edit of the file. */
  | { readonly kind: "changed"; readonly path: string; readonly version: number; readonly edit: Edit }
  | { readonly kind: "cursor"; readonly path: string; readonly offset: number }
  /** A suggestion was seen. Without an `edit` the place alone was shown. */
  | {
      readonly kind: "shown";
      /** Names it in what follows. */
      readonly id: string;
      readonly path: string;
      readonly origin: NextEditOrigin;
      readonly reason: string;
      readonly place: TextRange;
      readonly edit?: Edit;
      readonly model?: string;
      readonly likelihood?: number;
    }
  /** It was taken: all of it, or of its edit this part. The texts change by `changed`, as ever. */
  | { readonly kind: "accepted"; readonly id: string; readonly part?: Edit }
  | { readonly kind: "rejected"; readonly id: string }
  | { readonly kind: "renamed"; readonly path: string; readonly newPath: string }
  /** It is not looked at any more; it still says what it said. */
  | { readonly kind: "closed"; readonly path: string }
  /**
   * A file says something else, and nobody edited it: another branch, another program. Without a path that may be true of all files, and what is seen of
   * them follows.
   */
  | { readonly kind: "replaced"; readonly path?: string; readonly text?: string }
  /** There is no such file any more. */
  | { readonly kind: "removed"; readonly path: string };

/** The version of the format that this Emend writes. */
export const recordingVersion = 1;

/** What the names of recordings end with. */
export const recordingEnding = ".edits.json";

/** What a recording's file calls its format. */
export const recordingFormat = "emend-edits";
