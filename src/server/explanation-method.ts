import type { Connection } from "vscode-languageserver";
import { ErrorCodes, ResponseError } from "vscode-languageserver";
import { explainGhostText, explainNextEdit } from "./explanation.ts";
import { type CrashLog, serveRequest } from "./fence.ts";
import type { Explanation, ExplanationParams } from "./protocol/explanation.ts";
import type { RequestLog } from "./request-log.ts";

/** What the method is served with. */
export interface ExplanationMethodParts {
  readonly connection: Connection;
  readonly requests: RequestLog;
  readonly log: CrashLog;
}

/** `emend/explanation`: what became of the last request, ready to be shown; `null` where there was none. */
export function serveExplanation({ connection, requests, log }: ExplanationMethodParts): void {
  serveRequest<ExplanationParams, Explanation | null>(connection, "emend/explanation", log, (params) => {
    switch (params.of ?? requests.later) {
      case undefined:
        return null;
      case "ghost-text":
        return requests.ghostText === undefined ? null : explainGhostText(requests.ghostText);
      case "next-edit":
        return requests.nextEdit === undefined ? null : explainNextEdit(requests.nextEdit);
      default: {
        const message = 'emend/explanation takes `of`, which is "ghost-text" or "next-edit".';
        throw new ResponseError<void>(ErrorCodes.InvalidParams, message);
      }
    }
  });
}
