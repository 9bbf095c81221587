import { InlineCompletionsController } from "monaco-editor/editor/contrib/inlineCompletions/browser/controller/inlineCompletionsController.js";
import type { NextEditItem } from "../../../src/server/suggestions/next-edit-methods.ts";
import type { Documents } from "../editor/documents.ts";
import type { EditorView } from "../editor/editor-view.ts";
import { monaco } from "../editor/monaco.ts";
import { fromMonacoPosition, toMonacoRange } from "../editor/positions.ts";
import { signalOf } from "../editor/signal-of.ts";
import { ghostTextGroup } from "../ghost/ghost-text-provider.ts";
import type { NextEdits } from "./next-edits.ts";
import { isShownIn } from "./tab-meaning.ts";

/** A next edit in the editor. */
interface InlineEdit extends monaco.languages.InlineCompletion {
  readonly item: NextEditItem;
}

/** The dependencies of the provider. */
export interface NextEditProviderParts {
  readonly documents: Documents;
  readonly view: Pick<EditorView, "editor">;
  readonly nextEdits: NextEdits;
}

/** The pause in typing, or in changes of files, before a second request, in milliseconds. */
const pauseMs = 1_000;

/**
 * Provides next edits of the visible document to the editor: Tab goes to the edit, Tab again
 * accepts it, Esc dismisses it.
 */
export class NextEditProvider
  implements monaco.languages.InlineCompletionsProvider<monaco.languages.InlineCompletions<InlineEdit>>
{
  readonly groupId = "emend.next-edit";
  readonly yieldsToGroupIds = [ghostTextGroup];
  readonly debounceDelayMs = 0;
  readonly #parts: NextEditProviderParts;
  readonly #changed = new monaco.Emitter<void>();
  readonly onDidChangeInlineCompletions = this.#changed.event;
  /** The answer of a request by key, which is shown without another request. */
  #answered:
    | { readonly model: monaco.editor.ITextModel; readonly version: number; readonly item: NextEditItem }
    | undefined;

  /** The text of the last request after a pause. */
  #pausedAt: { readonly model: monaco.editor.ITextModel; readonly version: number } | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #change: ReturnType<typeof setTimeout> | undefined;
  /** Aborts the request after a change of files, in favor of a newer one. */
  #afterChange: AbortController | undefined;

  constructor(parts: NextEditProviderParts) {
    this.#parts = parts;
  }

  register(): Disposable {
    const registered = monaco.languages.registerInlineCompletionsProvider("*", this);
    const created = monaco.editor.onDidCreateModel((model) => {
      model.onDidChangeContent(() => {
        const { editor } = this.#parts.view;
        if (editor?.getModel() !== model || !editor.hasTextFocus()) this.filesChanged();
      });
    });
    return {
      [Symbol.dispose]: () => {
        registered.dispose();
        created.dispose();
      },
    };
  }

  /**
   * Requests the active next edit again after a pause, because files have changed by other means
   * than typing: on the disk, or by a panel.
   */
  filesChanged(): void {
    clearTimeout(this.#change);
    this.#change = setTimeout(() => void this.#askAfterChange(), pauseMs);
  }

  async #askAfterChange(): Promise<void> {
    const { documents, nextEdits, view } = this.#parts;
    const { editor } = view;
    const before = nextEdits.offered.peek();
    const model = editor?.getModel();
    const position = editor?.getPosition();
    const document = model && documents.ofModel(model);
    if (before === undefined || !model || !position || !document) return;
    this.#afterChange?.abort();
    this.#afterChange = new AbortController();
    const place = { document, position: fromMonacoPosition(position) };
    const { signal } = this.#afterChange;
    const answer = await nextEdits.ask(place, "automatic", signal).catch(() => undefined);
    if (answer?.kind === "no-suggestion" && isShownIn(editor!, "inlineEditIsVisible")) this.#requestAgain();
    else if (answer?.kind === "offered" && answer.suggestion.id !== before.item.id) this.show(model, answer.suggestion);
  }

  /** Shows a suggestion for the current text of a model. */
  show(model: monaco.editor.ITextModel, item: NextEditItem): void {
    this.#answered = { model, version: model.getVersionId(), item };
    this.#requestAgain();
  }

  /** Requests again, because there may be more next edits. */
  followUpPrompt(): void {
    this.#changed.fire();
  }

  /**
   * Makes the editor request again at the same place. The editor does not do so by itself: it keeps
   * the answer for a place and a text, also an empty one.
   */
  #requestAgain(): void {
    const { editor } = this.#parts.view;
    if (editor) InlineCompletionsController.get(editor)?.model.get()?.stop();
    this.#changed.fire();
  }

  /**
   * Requests once more after a pause in typing, because a finished edit gives more suggestions than
   * one in progress.
   */
  #askAfterPause(model: monaco.editor.ITextModel): void {
    const version = model.getVersionId();
    if (this.#pausedAt?.model === model && this.#pausedAt.version === version) return;
    this.#pausedAt = { model, version };
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      const { editor } = this.#parts.view;
      const isSame = editor?.getModel() === model && model.getVersionId() === version;
      if (isSame && !isShownIn(editor, "inlineSuggestionVisible")) this.#requestAgain();
    }, pauseMs);
  }

  async provideInlineCompletions(
    model: monaco.editor.ITextModel,
    position: monaco.Position,
    context: monaco.languages.InlineCompletionContext,
    token: monaco.CancellationToken,
  ): Promise<monaco.languages.InlineCompletions<InlineEdit>> {
    const { documents, nextEdits } = this.#parts;
    const document = documents.ofModel(model);
    if (document === undefined || !context.includeInlineEdits) return { items: [] };
    this.#afterChange?.abort();
    const answered = this.#answered;
    this.#answered = undefined;
    if (answered?.model === model && answered.version === model.getVersionId())
      return { items: toInlineEdits(model, answered.item) };
    try {
      const place = { document, position: fromMonacoPosition(position) };
      const answer = await nextEdits.ask(place, "automatic", signalOf(token));
      if (answer.kind === "no-suggestion") this.#askAfterPause(model);
      return { items: answer.kind === "offered" ? toInlineEdits(model, answer.suggestion) : [] };
    } catch (error) {
      if (!token.isCancellationRequested) console.info("No next edit:", error);
      return { items: [] };
    }
  }

  handleItemDidShow(_list: unknown, { item }: InlineEdit): void {
    this.#parts.nextEdits.shown(item);
  }

  handleEndOfLifetime(
    _list: unknown,
    { item }: InlineEdit,
    { kind }: monaco.languages.InlineCompletionEndOfLifeReason,
  ): void {
    const { nextEdits } = this.#parts;
    const { Accepted, Rejected } = monaco.languages.InlineCompletionEndOfLifeReasonKind;
    if (kind === Rejected) nextEdits.rejected(item);
    else if (kind === Accepted) {
      nextEdits.accepted(item).then(
        () => this.followUpPrompt(),
        () => undefined,
      );
    }
  }

  disposeInlineCompletions(): void {}
}

/** Locations without edits or in other files are shown in the next bar instead. */
function toInlineEdits(model: monaco.editor.ITextModel, item: NextEditItem): InlineEdit[] {
  if (item.isElsewhere || item.edits.length === 0) return [];
  return [{ ...asOneReplacement(model, item), item, isInlineEdit: true }];
}

/**
 * Joins all edits into one replacement, because the editor accepts only one.
 */
function asOneReplacement(
  model: monaco.editor.ITextModel,
  { edits }: NextEditItem,
): { readonly range: monaco.Range; readonly insertText: string } {
  const sorted = edits
    .map(({ range, newText }) => ({ range: toMonacoRange(range), newText }))
    .sort((a, b) => monaco.Range.compareRangesUsingStarts(a.range, b.range));
  const first = sorted[0]!.range;
  let insertText = "";
  let at = first.getStartPosition();
  for (const { range, newText } of sorted) {
    insertText += model.getValueInRange(monaco.Range.fromPositions(at, range.getStartPosition())) + newText;
    at = range.getEndPosition();
  }
  return { range: monaco.Range.fromPositions(first.getStartPosition(), at), insertText };
}
