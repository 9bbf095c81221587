import type { Snippet } from "../context/index.ts";
import type { Document } from "../text/index.ts";
import type { SceneDiagnostic } from "./next-edit-scene.ts";

/** A cursor that wants to know what is edited next. */
export interface NextEditRequest {
  /** The document as the editor shows it. */
  readonly document: Document;
  /** Its path from the workspace's root with `/`. */
  readonly path: string;
  /** The cursor's offset in the document. */
  readonly offset: number;
  /** `automatic`: the person typed or moved. `invoked`: the person asked, so that nothing waits and rejections of late do not count. */
  readonly trigger: "automatic" | "invoked";
  /** `ghost-text`: only what adds behind the cursor on its line is wanted; no model is asked, and by itself nobody who takes a while. Anything unless told. */
  readonly shape?: "ghost-text";
  /** What is known to be wrong in the document, for a model. */
  readonly diagnostics?: readonly SceneDiagnostic[];
  /** Parts of files that were looked at lately, the oldest first, for a model; see `viewedPages`. */
  readonly viewed?: readonly Omit<Snippet, "score">[];
}
