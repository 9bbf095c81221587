import {
  type Connection,
  type InlineCompletionItem,
  type InlineCompletionList,
  type InlineCompletionParams,
  InlineCompletionTriggerKind,
} from "vscode-languageserver";
import { checkParams } from "../check-params.ts";
import type { CommandHandler } from "../commands.ts";
import { type CrashLog, guardRequest } from "../guard.ts";
import type { Positions } from "../positions.ts";
import type { IdentifiedSuggestion } from "./server-ghost-text.ts";
import type { SuggestionFeedback } from "./suggestion-feedback.ts";
import type { SuggestionService } from "./suggestion-service.ts";

/** The command that a client runs after an item was accepted. */
export const acceptCommand = "emend.didAcceptCompletion";

interface VersionedInlineCompletionParams extends InlineCompletionParams {
  readonly textDocument: InlineCompletionParams["textDocument"] & { readonly version?: number };
}

/** What the features of the server are made with. */
export interface FeatureParts {
  readonly connection: Connection;
  readonly service: SuggestionService;
  readonly store: SuggestionFeedback;
  readonly positions: Positions;
  readonly log: CrashLog;
}

/**
 * Makes the handler of a command that a client runs after a suggestion was accepted or rejected;
 * its argument is the id. An unknown id is ignored.
 */
export function sendFeedback(store: SuggestionFeedback, kind: "accepted" | "dismissed"): CommandHandler {
  return ([id]) => {
    if (typeof id === "string") store.notify(id, { kind });
    return null;
  };
}

/**
 * Serves `textDocument/inlineCompletion` of LSP 3.18, with the document version that Copilot's
 * clients add to it.
 */
export function serveInlineCompletion({ connection, service, positions, log }: FeatureParts): void {
  connection.languages.inlineCompletion.on(
    guardRequest<VersionedInlineCompletionParams, InlineCompletionList>(
      "textDocument/inlineCompletion",
      log,
      async (params, signal) => {
        checkParams("textDocument/inlineCompletion", params, {
          "textDocument.uri": "text",
          position: "position",
          "context?.selectedCompletionInfo?.text": "text",
          "context?.selectedCompletionInfo?.range.start": "position",
          "context?.selectedCompletionInfo?.range.end": "position",
        });
        const { textDocument, position, context } = params;
        const answer = await service.ghostText(
          {
            ...{ uri: textDocument.uri, version: textDocument.version, position },
            trigger: context?.triggerKind === InlineCompletionTriggerKind.Invoked ? "invoked" : "automatic",
            picked: context?.selectedCompletionInfo,
          },
          signal,
        );
        return {
          items: answer.kind === "no-suggestion" ? [] : answer.suggestions.map((one) => toItem(one, positions)),
        };
      },
    ),
  );
}

/** A suggestion as an item of the protocol. */
function toItem({ id, edit, open }: IdentifiedSuggestion, positions: Positions): InlineCompletionItem {
  return {
    insertText: edit.text,
    range: positions.toRange(open.lines, edit),
    command: { title: "Completion accepted", command: acceptCommand, arguments: [id] },
  };
}
