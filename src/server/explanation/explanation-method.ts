import type { Connection } from "vscode-languageserver";
import { type CrashLog, serveRequest, wrongParams } from "../guard.ts";
import type { Explanation, ExplanationParams } from "../protocol/explanation.ts";
import type { RequestLog } from "../request-log.ts";
import type { SessionSet } from "../session-set.ts";
import type { ExplainedOutcome } from "../suggestions/ghost-text-service.ts";
import { explainGhostText, explainNextEdit } from "./explanation.ts";

/** What the method is served with. */
export interface ExplanationMethodParts {
  readonly connection: Connection;
  readonly requests: RequestLog;
  readonly sessions: Pick<SessionSet, "place">;
  readonly log: CrashLog;
}

/**
 * Serves `emend/explanation`: the explanation of the last request, or `null` where there was none.
 */
export function serveExplanation({ connection, requests, sessions, log }: ExplanationMethodParts): void {
  const explain = async (explained: ExplainedOutcome): Promise<Explanation> => {
    const matches = (explained.outcome?.evidence ?? []).flatMap(({ match }) => match ?? []);
    if (matches.length === 0) return explainGhostText(explained);
    const lines = await sessions.place(explained.uri).session.linesOfMatches(matches);
    return explainGhostText(explained, (match) => lines.get(match));
  };
  serveRequest<ExplanationParams, Explanation | null>(connection, "emend/explanation", log, (params) => {
    switch (params.of ?? requests.later) {
      case undefined:
        return null;
      case "ghost-text":
        return requests.ghostText === undefined ? null : explain(requests.ghostText);
      case "next-edit":
        return requests.nextEdit === undefined ? null : explainNextEdit(requests.nextEdit);
      default:
        throw wrongParams('emend/explanation takes `of`, which is "ghost-text" or "next-edit".');
    }
  });
}
