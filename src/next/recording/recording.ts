import type { Edit, TextRange } from "../../text/index.ts";
import type { NextEditOrigin } from "../providers/next-edit-provider.ts";

/**
 * A recorded session: the user's edits of the files of a workspace, and the suggestions shown
 * meanwhile. Written as `*.edits.json`.
 */
export interface Recording {
  /** The events in order; times never decrease. */
  readonly events: readonly RecordedEvent[];
}

/** An action and its time, in whole milliseconds since the recording began. */
export type RecordedEvent = { readonly atMs: number } & RecordedAction;

/**
 * An action. Paths are relative to the workspace's root, with `/`; offsets count UTF-16 units of
 * the text at that time.
 */
export type RecordedAction =
  /**
   * A file was opened. `text` is left out where it is the last recorded text of the file. A file
   * without `isNew` existed from the beginning, with this text.
   */
  | {
      readonly kind: "opened";
      readonly path: string;
      /** The language id, as in the language registry. */
      readonly language: string;
      readonly text?: string;
      readonly isNew?: true;
    }
  /** A file was edited. `version` increases with every edit of the file. */
  | { readonly kind: "changed"; readonly path: string; readonly version: number; readonly edit: Edit }
  | { readonly kind: "cursor"; readonly path: string; readonly offset: number }
  /** A suggestion was shown. Without an `edit` only its location was shown. */
  | {
      readonly kind: "shown";
      /** Identifies it in later events. */
      readonly id: string;
      readonly path: string;
      readonly origin: NextEditOrigin;
      readonly reason: string;
      readonly place: TextRange;
      readonly edit?: Edit;
      readonly model?: string;
      readonly likelihood?: number;
    }
  /**
   * It was accepted: all of it, or this part of its edit. The text changes by a separate `changed`.
   */
  | { readonly kind: "accepted"; readonly id: string; readonly part?: Edit }
  | { readonly kind: "rejected"; readonly id: string }
  | { readonly kind: "renamed"; readonly path: string; readonly newPath: string }
  /** The file was closed; its text stays. */
  | { readonly kind: "closed"; readonly path: string }
  /**
   * A file's text was replaced other than by editing, such as by another branch or program. Without
   * a path that may be so for all files; the texts that are seen again follow.
   */
  | { readonly kind: "replaced"; readonly path?: string; readonly text?: string }
  /** The file was removed. */
  | { readonly kind: "removed"; readonly path: string };

/** The version of the format that this Emend reads and writes. */
export const recordingVersion = 1;

/** The file name ending of recordings. */
export const recordingEnding = ".edits.json";

/** The value of a recording's `format` field. */
export const recordingFormat = "emend-edits";
