import type { Position } from "vscode-languageserver";

/**
 * The progress of an edit by instruction: the notification `emend/edit/preview`, sent where the
 * client gave a `preview`.
 */
export interface EditPreviewParams {
  /** The name of the request that the client passed as `preview` in the command's argument. */
  readonly preview: string;
  /**
   * The model's name, `pasted` for a pasted answer, and what is done at the moment: `is answering`,
   * `is repairing the syntax`, …; `has answered` is the last.
   */
  readonly model: string;
  readonly activity: string;
  /** The files that would be changed, in their current state. */
  readonly files: readonly PreviewedFile[];
  /** Where the model is writing, as a position in the text `after`. */
  readonly at?: { readonly uri: string; readonly position: Position };
}

/** A file of a preview, before and after the edit. */
export interface PreviewedFile {
  readonly uri: string;
  /** Relative to the workspace's root. */
  readonly path: string;
  /** `null` where the file does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}
