import { StandaloneServices } from "monaco-editor/editor/standalone/browser/standaloneServices.js";
import { IStorageService } from "monaco-editor/platform/storage/common/storage.js";

/**
 * Tells the editor that the person has met next edits before.
 *
 * For newcomers it would let its mark pulse, by an animation that begins before the mark is drawn,
 * which fails and is logged as a bug. The page has its own way to explain them.
 */
export function knowNextEdits(): void {
  const application = -1;
  const user = 0;
  StandaloneServices.get(IStorageService).store("inlineEditsGutterIndicatorUserKind", "active", application, user);
}
