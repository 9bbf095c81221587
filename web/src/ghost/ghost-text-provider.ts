import type { InlineCompletionList, InlineCompletionParams } from "vscode-languageserver-protocol";
import type { Documents } from "../editor/documents.ts";
import { monaco } from "../editor/monaco.ts";
import { fromMonacoPosition, fromMonacoRange, toMonacoRange } from "../editor/positions.ts";
import { signalOf } from "../editor/signal-of.ts";
import type { ServerLink } from "../page-services.ts";

/** Ghost text in the editor; `command` identifies the item for the server. */
interface GhostText extends monaco.languages.InlineCompletion {
  readonly command: monaco.languages.Command;
}

/** The group id that the provider of next edits yields to. */
export const ghostTextGroup = "emend.ghost-text";

/** The dependencies of the provider. */
export interface GhostTextParts {
  readonly server: ServerLink;
  readonly documents: Documents;
  /**
   * Called for each answered request, with its latency in milliseconds; not for cancelled requests.
   */
  onAnswer(answer: { readonly tookMs: number; readonly isOffered: boolean }): void;
}

/**
 * Provides ghost text from `textDocument/inlineCompletion`, and sends feedback with the
 * notifications of Copilot's clients.
 */
export function provideGhostText(parts: GhostTextParts): Disposable {
  const { server } = parts;
  const provider: monaco.languages.InlineCompletionsProvider<monaco.languages.InlineCompletions<GhostText>> = {
    groupId: ghostTextGroup,
    debounceDelayMs: 0,
    provideInlineCompletions: async (model, position, context, token) => {
      if (!context.includeInlineCompletions) return { items: [] };
      return { items: await ask(parts, model, position, context, token) };
    },
    handleItemDidShow: (_list, { command }) =>
      server.notify("textDocument/didShowCompletion", { item: { command: wired(command) } }),
    handlePartialAccept: (_list, { command }, acceptedLength) =>
      server.notify("textDocument/didPartiallyAcceptCompletion", { item: { command: wired(command) }, acceptedLength }),
    disposeInlineCompletions: () => undefined,
  };
  const registered = monaco.languages.registerInlineCompletionsProvider("*", provider);
  return { [Symbol.dispose]: () => registered.dispose() };
}

async function ask(
  { server, documents, onAnswer }: GhostTextParts,
  model: monaco.editor.ITextModel,
  position: monaco.Position,
  { triggerKind, selectedSuggestionInfo }: monaco.languages.InlineCompletionContext,
  token: monaco.CancellationToken,
): Promise<GhostText[]> {
  const document = documents.ofModel(model);
  if (document === undefined) return [];
  const isInvoked = triggerKind === monaco.languages.InlineCompletionTriggerKind.Explicit;
  const params: InlineCompletionParams = {
    textDocument: { uri: document.uri, ...{ version: model.getVersionId() } },
    position: fromMonacoPosition(position),
    context: {
      triggerKind: isInvoked ? 1 : 2,
      ...(selectedSuggestionInfo && {
        selectedCompletionInfo: {
          range: fromMonacoRange(selectedSuggestionInfo.range),
          text: selectedSuggestionInfo.text,
        },
      }),
    },
  };
  const requestedAt = performance.now();
  try {
    const signal = signalOf(token);
    const answer = await server.request<InlineCompletionList>("textDocument/inlineCompletion", params, { signal });
    onAnswer({ tookMs: performance.now() - requestedAt, isOffered: answer.items.length > 0 });
    return answer.items.flatMap(({ insertText, range, command }) => {
      if (typeof insertText !== "string" || command === undefined) return [];
      return {
        ...{ insertText, ...(range && { range: toMonacoRange(range) }) },
        command: { id: runOnServer, title: command.title, arguments: [command.command, ...(command.arguments ?? [])] },
      };
    });
  } catch (error) {
    // The editor requests again after each key, and the status line shows a lost connection.
    if (!token.isCancellationRequested) console.info("No ghost text:", error);
    return [];
  }
}

/** The editor command that runs a server command, whose name is the first argument. */
export const runOnServer = "emend.runOnServer";

/** The command in the form in which the server sent it. */
function wired({ title, arguments: [command, ...values] = [] }: monaco.languages.Command): object {
  return { title, command, arguments: values };
}

/** Registers the command that accepted items run on the server; `onTaken` is called for each. */
export function registerServerCommands(server: ServerLink, onTaken: () => void): Disposable {
  const registered = monaco.editor.registerCommand(runOnServer, (_accessor, command: string, ...values: unknown[]) => {
    onTaken();
    server.request("workspace/executeCommand", { command, arguments: values }).catch(() => undefined);
  });
  return { [Symbol.dispose]: () => registered.dispose() };
}
