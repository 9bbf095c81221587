import {
  type Disposable,
  type InlineCompletionItem,
  type InlineCompletionList,
  Range,
  type TextDocument,
  type TextDocumentChangeEvent,
  workspace,
} from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import type { NextEdits } from "./next-edits.ts";
import { type SeenGhostText, tryAcceptedLength } from "./partial-accept.ts";
import type { ServerLink } from "./server-link.ts";

/** What ghost text is shown with. */
export interface GhostTextParts {
  readonly server: ServerLink;
  readonly nextEdits: Pick<NextEdits, "ghostTextAt">;
}

/**
 * Ghost text by the editor's stable API: the language client asks and converts; this adds the next
 * edits that can be seen as ghost text, and tells the server what that API does not: what is seen,
 * and what was taken in part.
 */
export class GhostText implements Disposable {
  readonly #parts: GhostTextParts;
  readonly #subscription: Disposable;
  #seen:
    | (SeenGhostText & { readonly document: TextDocument; readonly item: InlineCompletionItem; readonly taken: number })
    | undefined;

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
    if (nextEdit !== undefined) return [nextEdit];
    const answer = await next(document, position, context, token);
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

  dispose(): void {
    this.#subscription.dispose();
  }

  #changed({ document, contentChanges }: TextDocumentChangeEvent): void {
    const seen = this.#seen;
    const [change] = contentChanges;
    if (seen === undefined || document !== seen.document || change === undefined) return;
    const { rangeOffset: offset, rangeLength: length, text } = change;
    const isGoingOn =
      contentChanges.length === 1 && length === 0 && offset === seen.offset && seen.text.startsWith(text);
    if (!isGoingOn) {
      this.#seen = undefined;
      return;
    }
    const accepted = tryAcceptedLength(seen, { offset, length, text });
    const taken = seen.taken + text.length;
    this.#seen = { ...seen, taken, offset: offset + text.length, text: seen.text.slice(text.length) };
    if (accepted === undefined) return;
    const told = { item: plain(seen.item), acceptedLength: taken };
    this.#parts.server.notify("textDocument/didPartiallyAcceptCompletion", told);
  }
}

function itemsOf(
  answer: InlineCompletionItem[] | InlineCompletionList | null | undefined,
): readonly InlineCompletionItem[] {
  return Array.isArray(answer) ? answer : (answer?.items ?? []);
}

/** As much of an item as the server looks at. */
function plain({ command }: InlineCompletionItem): object {
  return { command: { title: command?.title, command: command?.command, arguments: command?.arguments } };
}
