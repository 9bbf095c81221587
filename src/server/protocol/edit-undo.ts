/**
 * The notification `emend/edit/applied`: the client has applied a change by `emend.edit` with
 * `isReviewed`, or a part of it. What it saves of it can be undone after a restart.
 */
export interface EditAppliedParams {
  readonly instruction?: string;
  readonly files: readonly AppliedFile[];
}

/** A file of an applied change, with the texts that the client had before and after it. */
export interface AppliedFile {
  readonly uri: string;
  /** The new URI of a renamed file. */
  readonly newUri?: string;
  /** `null` where the file does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The parameters of `emend/edit/last` and `emend/edit/undo`. */
export interface EditUndoParams {
  /** The workspace folder, or a file in it; by default that of the document viewed last. */
  readonly uri?: string;
  /** The edit to undo; by default the last one. */
  readonly id?: number;
}

/**
 * The answer of `emend/edit/last`, or `null`: the last edit on disk that can be undone, by this
 * client or by a command line.
 */
export interface LastEdit {
  readonly id: number;
  readonly instruction: string;
  /** Relative to the workspace. */
  readonly paths: readonly string[];
}

/** The answer of `emend/edit/undo`. */
export interface EditUndoResult {
  readonly isUndone: boolean;
  /** Why no file was changed, and what to do. */
  readonly failureReason?: string;
  /** The edit that was undone, or is not. */
  readonly edit?: LastEdit;
  /** The number with which `emend undo --id` restores the edit. */
  readonly undoneBy?: number;
}
