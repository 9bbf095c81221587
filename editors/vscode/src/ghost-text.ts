import {
  commands,
  type Disposable,
  type InlineCompletionItem,
  type InlineCompletionList,
  InlineCompletionTriggerKind,
  Range,
  type TextDocument,
  type TextDocumentChangeEvent,
  type TextEditor,
  window,
  workspace,
} from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import type { NextEdits } from "./next-edits.ts";
import { type SeenGhostText, tryAcceptedLength } from "./partial-accept.ts";
import type { ServerLink } from "./server-link.ts";

/** The dependencies of {@link GhostText}. */
export interface GhostTextParts {
  readonly server: ServerLink;
  readonly nextEdits: Pick<NextEdits, "ghostTextAt" | "ghostTextDismissed">;
}

/**
 * Shows ghost text with the stable inline completion API of VS Code. The language client requests
 * and converts; this class adds next edits that can be shown as ghost text, and sends the server
 * the feedback that the stable API does not have: shown and partially accepted suggestions.
 */
export class GhostText implements Disposable {
  readonly #parts: GhostTextParts;
  readonly #subscription: Disposable;
  #seen:
    | (SeenGhostText & { readonly document: TextDocument; readonly item: InlineCompletionItem; readonly taken: number })
    | undefined;

  #isRequestedAgain = false;

  constructor(parts: GhostTextParts) {
    this.#parts = parts;
    this.#subscription = workspace.onDidChangeTextDocument((event) => this.#changed(event));
  }

  readonly provideInlineCompletionItems: NonNullable<Middleware["provideInlineCompletionItems"]> = async (
    document,
    position,
    context,
    token,
    next,
  ) => {
    const nextEdit = this.#parts.nextEdits.ghostTextAt(document, position);
    if (nextEdit !== undefined) {
      this.#seen = undefined;
      return [nextEdit];
    }
    const triggerKind = this.#isRequestedAgain ? InlineCompletionTriggerKind.Automatic : context.triggerKind;
    const answer = await next(document, position, { ...context, triggerKind }, token);
    if (token.isCancellationRequested) return null;
    const item = itemsOf(answer)[0];
    this.#seen = undefined;
    if (item === undefined || typeof item.insertText !== "string") return answer;
    const start = item.range?.start ?? position;
    const taken = position.character - start.character;
    if (item.insertText.startsWith(document.getText(new Range(start, position)))) {
      this.#seen = { document, item, taken, offset: document.offsetAt(position), text: item.insertText.slice(taken) };
    }
    this.#parts.server.notify("textDocument/didShowCompletion", { item: plain(item) });
    return answer;
  };

  /**
   * Requests ghost text for the same text again, since there may be other ghost text now. VS Code
   * makes only explicit requests for a text twice; the server receives an automatic one.
   */
  async requestAgain(): Promise<void> {
    this.#isRequestedAgain = true;
    try {
      await commands.executeCommand("editor.action.inlineSuggest.trigger");
    } finally {
      this.#isRequestedAgain = false;
    }
  }

  /** Whether ghost text of the active document was shown last and is not typed over. */
  get isShown(): boolean {
    const editor = window.activeTextEditor;
    const seen = this.#seen;
    return seen !== undefined && editor?.document === seen.document && seen.text !== "" && isAt(editor, seen.offset);
  }

  /**
   * Hides ghost text, and notifies the server that the person dismissed it: VS Code has no stable
   * API for that. Ghost text of others is hidden, too.
   */
  async dismiss(): Promise<void> {
    const ids = this.isShown ? (this.#seen?.item.command?.arguments ?? []) : [];
    if (ids.length > 0) {
      this.#seen = undefined;
      // The request fails where no server is running.
      await this.#parts.server.request("notifyRejected", { uuids: ids }).catch(() => undefined);
    }
    this.#parts.nextEdits.ghostTextDismissed();
    await commands.executeCommand("editor.action.inlineSuggest.hide");
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #changed({ document, contentChanges }: TextDocumentChangeEvent): void {
    const seen = this.#seen;
    const [change] = contentChanges;
    if (seen === undefined || document !== seen.document || change === undefined) return;
    const { rangeOffset: offset, rangeLength: length, text } = change;
    const isContinued =
      contentChanges.length === 1 && length === 0 && offset === seen.offset && seen.text.startsWith(text);
    if (!isContinued) {
      this.#seen = undefined;
      return;
    }
    const accepted = tryAcceptedLength(seen, { offset, length, text });
    const taken = seen.taken + text.length;
    this.#seen = { ...seen, taken, offset: offset + text.length, text: seen.text.slice(text.length) };
    if (accepted === undefined) return;
    const params = { item: plain(seen.item), acceptedLength: taken };
    this.#parts.server.notify("textDocument/didPartiallyAcceptCompletion", params);
  }
}

function isAt({ document, selection }: TextEditor, offset: number): boolean {
  return document.offsetAt(selection.active) === offset;
}

function itemsOf(
  answer: InlineCompletionItem[] | InlineCompletionList | null | undefined,
): readonly InlineCompletionItem[] {
  return Array.isArray(answer) ? answer : (answer?.items ?? []);
}

/** The part of an item that the server reads. */
function plain({ command }: InlineCompletionItem): object {
  return { command: { title: command?.title, command: command?.command, arguments: command?.arguments } };
}
