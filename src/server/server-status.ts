import type { ServerSilence } from "./ghost-text-service.ts";
import type { NextServerSilence } from "./next-edit-service.ts";
import type { EmendStatusParams } from "./protocol/emend-status.ts";
import type { RequestFiguresStatus } from "./request-figures.ts";
import type { SessionStatus } from "./session/index.ts";

/** What the request `emend/status` answers. Fields may be added; none changes its meaning. */
export interface ServerStatus {
  readonly version: string;
  /** The encoding of positions that was agreed on. */
  readonly positionEncoding: string;
  /** The sessions, one a workspace folder, and one for files in none if there are such. */
  readonly sessions: readonly SessionStatus[];
  readonly openDocuments: number;
  /** Bytes: of the heap that is in use, of buffers outside of it, and of the whole process. */
  readonly memory: { readonly heapUsed: number; readonly arrayBuffers: number; readonly rss: number };
  /** How the last requests were answered. */
  readonly requests: { readonly ghostText: RequestFiguresStatus; readonly nextEdits: RequestFiguresStatus };
  /** In short, as `emend/didChangeStatus` tells it. */
  readonly condition: EmendStatusParams;
  /** Why the last request was offered nothing, and the same in one line; absent when something was offered. */
  readonly lastSilence?: ServerSilence;
  readonly lastSilenceText?: string;
  /** The same of the last request for a next edit. */
  readonly lastNextSilence?: NextServerSilence;
  readonly lastNextSilenceText?: string;
}
