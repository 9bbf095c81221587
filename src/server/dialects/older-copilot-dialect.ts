import type { Position, Range } from "vscode-languageserver";
import { checkParams } from "../check-params.ts";
import { serveRequest } from "../guard.ts";
import type { Positions } from "../positions.ts";
import type { IdentifiedSuggestion } from "../suggestions/ghost-text-service.ts";
import type { FeatureParts } from "../suggestions/inline-completion.ts";

interface GetCompletionsParams {
  readonly doc: { readonly uri: string; readonly position: Position; readonly version?: number };
}

interface OlderCompletion {
  readonly uuid: string;
  /** The text that replaces `range`. */
  readonly text: string;
  /** The text that is shown at the cursor. */
  readonly displayText: string;
  /** Starts at the start of the cursor's line. */
  readonly range: Range;
  /** The cursor. */
  readonly position: Position;
  readonly docVersion: number;
}

/** The number of alternatives for `getCompletionsCycling`. */
const cycledAlternatives = 3;

/**
 * Serves the methods of Copilot's clients from before `textDocument/inlineCompletion`:
 * `getCompletions`, `getCompletionsCycling`, `notifyShown`, `notifyAccepted` and `notifyRejected`.
 * Some clients still use them.
 */
export function serveOlderCopilotDialect({ connection, service, positions, log }: FeatureParts): void {
  const complete = (what: string, trigger: "automatic" | "invoked", limit: number) =>
    serveRequest<GetCompletionsParams, { readonly completions: readonly OlderCompletion[] }>(
      connection,
      what,
      log,
      async (params, signal) => {
        checkParams(what, params, { "doc?.uri": "text", "doc?.position": "position" });
        if (params.doc == null) return { completions: [] };
        const { uri, position, version } = params.doc;
        const answer = await service.request({ uri, position, version, trigger, limit }, signal);
        if (answer.kind === "silent") return { completions: [] };
        return { completions: answer.suggestions.map((suggestion) => toCompletion(suggestion, positions)) };
      },
    );
  complete("getCompletions", "automatic", 1);
  complete("getCompletionsCycling", "invoked", cycledAlternatives);

  serveRequest<{ readonly uuid: string }, string>(connection, "notifyShown", log, ({ uuid }) => {
    if (uuid !== undefined) service.notify(uuid, { kind: "shown" });
    return "OK";
  });
  serveRequest<{ readonly uuid: string; readonly acceptedLength: number }, string>(
    connection,
    "notifyAccepted",
    log,
    ({ uuid, acceptedLength }) => {
      if (uuid === undefined) return "OK";
      if (acceptedLength === undefined) service.notify(uuid, { kind: "accepted" });
      else service.notify(uuid, { kind: "partly-accepted", characters: acceptedLength, from: "ghost" });
      return "OK";
    },
  );
  serveRequest<{ readonly uuids: readonly string[] }, string>(connection, "notifyRejected", log, ({ uuids }) => {
    for (const uuid of Array.isArray(uuids) ? uuids : []) service.notify(uuid, { kind: "dismissed" });
    return "OK";
  });
}

function toCompletion({ id, edit, ghost, open, offset }: IdentifiedSuggestion, positions: Positions): OlderCompletion {
  const { lines, document } = open;
  const lineStart = lines.start(lines.lineAt(edit.start));
  return {
    uuid: id,
    text: document.text.slice(lineStart, edit.start) + edit.text,
    displayText: ghost,
    range: positions.toRange(lines, { start: lineStart, end: edit.end }),
    position: positions.toPosition(lines, offset),
    docVersion: document.version,
  };
}
