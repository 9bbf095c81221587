import type { EmendStatusParams } from "./protocol/emend-status.ts";
import type { RequestFiguresStatus } from "./request-log.ts";
import type { SessionStatus } from "./session/index.ts";
import type { ServerNoNextEditReason, ServerNoSuggestionReason } from "./suggestions/server-no-suggestion.ts";

/** The answer of the request `emend/status`. Fields may be added; none changes its meaning. */
export interface ServerStatus {
  readonly version: string;
  /** The negotiated encoding of positions. */
  readonly positionEncoding: string;
  /**
   * The sessions: one for each workspace folder, and one for files outside of them, if there are
   * such.
   */
  readonly sessions: readonly SessionStatus[];
  readonly openDocuments: number;
  /** Bytes: of the heap in use, of buffers outside of it, and of the whole process. */
  readonly memory: { readonly heapUsed: number; readonly arrayBuffers: number; readonly rss: number };
  /** Statistics of the last requests. */
  readonly requests: { readonly ghostText: RequestFiguresStatus; readonly nextEdits: RequestFiguresStatus };
  /** The same as in the notification `emend/didChangeStatus`. */
  readonly condition: EmendStatusParams;
  /**
   * Why the last request for ghost text had no suggestion, and the same in one line; absent when it
   * had one.
   */
  readonly lastGhostTextReason?: ServerNoSuggestionReason;
  readonly lastGhostTextReasonText?: string;
  /** The same for the last request for a next edit. */
  readonly lastNextEditReason?: ServerNoNextEditReason;
  readonly lastNextEditReasonText?: string;
}
