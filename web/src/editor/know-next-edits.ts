import { StandaloneServices } from "monaco-editor/editor/standalone/browser/standaloneServices.js";
import { IStorageService } from "monaco-editor/platform/storage/common/storage.js";

/**
 * Marks the user as familiar with next edits in the editor's storage.
 *
 * For new users the editor animates the gutter indicator before it exists, which fails and is
 * logged as an error. The page explains next edits itself.
 */
export function knowNextEdits(): void {
  const application = -1;
  const user = 0;
  StandaloneServices.get(IStorageService).store("inlineEditsGutterIndicatorUserKind", "active", application, user);
}
