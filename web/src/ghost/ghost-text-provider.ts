import type { InlineCompletionList, InlineCompletionParams } from "vscode-languageserver-protocol";
import type { Documents } from "../editor/documents.ts";
import { monaco } from "../editor/monaco.ts";
import { fromMonacoPosition, fromMonacoRange, toMonacoRange } from "../editor/positions.ts";
import { signalOf } from "../editor/signal-of.ts";
import type { ServerLink } from "../page-services.ts";

/** Ghost text as the editor has it: `command` names it to the server. */
interface GhostText extends monaco.languages.InlineCompletion {
  readonly command: monaco.languages.Command;
}

/** By this the provider of next edits knows that it has to wait. */
export const ghostTextGroup = "emend.ghost-text";

/** What a provider is made with. */
export interface GhostTextParts {
  readonly server: ServerLink;
  readonly documents: Documents;
  /**
   * Called once a request is answered, with what it took in milliseconds; not for one that was
   * cancelled.
   */
  onAnswer(answer: { readonly tookMs: number; readonly isOffered: boolean }): void;
}

/**
 * Grey text at the cursor, from `textDocument/inlineCompletion`; what becomes of it is told as
 * Copilot's clients do.
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
  const asked = performance.now();
  try {
    const signal = signalOf(token);
    const answer = await server.request<InlineCompletionList>("textDocument/inlineCompletion", params, { signal });
    onAnswer({ tookMs: performance.now() - asked, isOffered: answer.items.length > 0 });
    return answer.items.flatMap(({ insertText, range, command }) => {
      if (typeof insertText !== "string" || command === undefined) return [];
      return {
        ...{ insertText, ...(range && { range: toMonacoRange(range) }) },
        command: { id: runOnServer, title: command.title, arguments: [command.command, ...(command.arguments ?? [])] },
      };
    });
  } catch (error) {
    // The editor asks again after each key; how the link stands is said in the status line.
    if (!token.isCancellationRequested) console.info("No ghost text:", error);
    return [];
  }
}

/** The editor's command that runs one of the server: its first argument is the name. */
export const runOnServer = "emend.runOnServer";

/** A command as the server has sent it. */
function wired({ title, arguments: [command, ...values] = [] }: monaco.languages.Command): object {
  return { title, command, arguments: values };
}

/** Lets items name what the server is to run once they are taken; `onTaken` is called then. */
export function registerServerCommands(server: ServerLink, onTaken: () => void): Disposable {
  const registered = monaco.editor.registerCommand(runOnServer, (_accessor, command: string, ...values: unknown[]) => {
    onTaken();
    server.request("workspace/executeCommand", { command, arguments: values }).catch(() => undefined);
  });
  return { [Symbol.dispose]: () => registered.dispose() };
}
