import type { Position, Range } from "vscode-languageserver";
import { checkParams } from "./check-params.ts";
import { serveRequest } from "./fence.ts";
import type { OfferedSuggestion } from "./ghost-text-service.ts";
import type { FeatureParts } from "./inline-completion.ts";
import type { Positions } from "./positions.ts";

interface GetCompletionsParams {
  readonly doc: { readonly uri: string; readonly position: Position; readonly version?: number };
}

interface OlderCompletion {
  readonly uuid: string;
  /** What stands in `range` afterwards. */
  readonly text: string;
  /** What is seen at the cursor. */
  readonly displayText: string;
  /** From the start of the cursor's line. */
  readonly range: Range;
  /** The cursor. */
  readonly position: Position;
  readonly docVersion: number;
}

/** How many alternatives whoever cycles through them is given. */
const cycledAlternatives = 3;

/** What Copilot's clients spoke before `textDocument/inlineCompletion`, and some still do. */
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
        const answer = await service.ask({ uri, position, version, trigger, limit }, signal);
        if (answer.kind === "silent") return { completions: [] };
        return { completions: answer.suggestions.map((suggestion) => toCompletion(suggestion, positions)) };
      },
    );
  complete("getCompletions", "automatic", 1);
  complete("getCompletionsCycling", "invoked", cycledAlternatives);

  serveRequest<{ readonly uuid: string }, string>(connection, "notifyShown", log, ({ uuid }) => {
    if (uuid !== undefined) service.tell(uuid, { kind: "shown" });
    return "OK";
  });
  serveRequest<{ readonly uuid: string; readonly acceptedLength: number }, string>(
    connection,
    "notifyAccepted",
    log,
    ({ uuid, acceptedLength }) => {
      if (uuid === undefined) return "OK";
      if (acceptedLength === undefined) service.tell(uuid, { kind: "accepted" });
      else service.tell(uuid, { kind: "partly-accepted", characters: acceptedLength, from: "ghost" });
      return "OK";
    },
  );
  serveRequest<{ readonly uuids: readonly string[] }, string>(connection, "notifyRejected", log, ({ uuids }) => {
    for (const uuid of Array.isArray(uuids) ? uuids : []) service.tell(uuid, { kind: "dismissed" });
    return "OK";
  });
}

function toCompletion({ id, edit, ghost, open, offset }: OfferedSuggestion, positions: Positions): OlderCompletion {
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
