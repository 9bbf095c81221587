import type { Position } from "vscode-languageserver";

/** Tells how an edit by an instruction comes on; sent as the notification `emend/edit/preview` where the client gave a `preview`. */
export interface EditPreviewParams {
  /** The name that the client gave the work as `preview` of the command's argument. */
  readonly preview: string;
  /** Who is at work, `pasted` for an answer that was given, and at what: `is asked`, `mends the syntax`, …; `has answered` comes last. */
  readonly model: string;
  readonly activity: string;
  /** The files that would be changed, as they would be by now. */
  readonly files: readonly PreviewedFile[];
  /** Where the model is writing, in the text `after`. */
  readonly at?: { readonly uri: string; readonly position: Position };
}

/** A file of a preview. */
export interface PreviewedFile {
  readonly uri: string;
  /** From the workspace's root. */
  readonly path: string;
  /** `null` where it is not there. */
  readonly before: string | null;
  readonly after: string | null;
}
