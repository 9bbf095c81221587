import {
  type Connection,
  type InlineCompletionItem,
  type InlineCompletionList,
  type InlineCompletionParams,
  InlineCompletionTriggerKind,
} from "vscode-languageserver";
import { checkParams } from "./check-params.ts";
import type { CommandHandler } from "./commands.ts";
import { type CrashLog, fenceRequest } from "./fence.ts";
import type { GhostTextService, OfferedSuggestion } from "./ghost-text-service.ts";
import type { Positions } from "./positions.ts";

/** The command that an item asks its client to run once the person has taken it. */
export const acceptCommand = "emend.didAcceptCompletion";

interface VersionedInlineCompletionParams extends InlineCompletionParams {
  readonly textDocument: InlineCompletionParams["textDocument"] & { readonly version?: number };
}

/** What a feature of the server is made with. */
export interface FeatureParts {
  readonly connection: Connection;
  readonly service: GhostTextService;
  readonly positions: Positions;
  readonly log: CrashLog;
}

/** What the command does: its argument is the id of the item. */
export function acceptItem(service: GhostTextService): CommandHandler {
  return ([id]) => {
    if (typeof id === "string") service.tell(id, { kind: "accepted" });
    return null;
  };
}

/** `textDocument/inlineCompletion` of LSP 3.18, and the version that Copilot's clients put into it. */
export function serveInlineCompletion({ connection, service, positions, log }: FeatureParts): void {
  connection.languages.inlineCompletion.on(
    fenceRequest<VersionedInlineCompletionParams, InlineCompletionList>(
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
        const answer = await service.ask(
          {
            ...{ uri: textDocument.uri, version: textDocument.version, position },
            trigger: context?.triggerKind === InlineCompletionTriggerKind.Invoked ? "invoked" : "automatic",
            picked: context?.selectedCompletionInfo,
          },
          signal,
        );
        return { items: answer.kind === "silent" ? [] : answer.suggestions.map((one) => toItem(one, positions)) };
      },
    ),
  );
}

/** A suggestion as the protocol writes it. */
function toItem({ id, edit, open }: OfferedSuggestion, positions: Positions): InlineCompletionItem {
  return {
    insertText: edit.text,
    range: positions.toRange(open.lines, edit),
    command: { title: "Completion accepted", command: acceptCommand, arguments: [id] },
  };
}
