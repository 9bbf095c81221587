import type { NextEditItem } from "../../../src/server/suggestions/next-edit-methods.ts";
import type { Documents } from "../editor/documents.ts";
import { monaco } from "../editor/monaco.ts";
import { fromMonacoPosition, toMonacoRange } from "../editor/positions.ts";
import { signalOf } from "../editor/signal-of.ts";
import { ghostTextGroup } from "../ghost/ghost-text-provider.ts";
import type { NextEdits } from "./next-edits.ts";

/** A next edit as the editor has it. */
interface InlineEdit extends monaco.languages.InlineCompletion {
  readonly item: NextEditItem;
}

/** What a provider is made with. */
export interface NextEditProviderParts {
  readonly documents: Documents;
  readonly nextEdits: NextEdits;
}

/** A pause in typing after which it is asked once more, in milliseconds. */
const pauseMs = 1_000;

/**
 * Next edits of the document that is seen, drawn by the editor itself: Tab goes there, Tab again
 * takes it, Esc says no.
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
  /** What a key has asked for already. */
  #asked:
    | { readonly model: monaco.editor.ITextModel; readonly version: number; readonly item: NextEditItem }
    | undefined;

  /** The text that was asked about a second time already. */
  #pausedAt: { readonly model: monaco.editor.ITextModel; readonly version: number } | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: NextEditProviderParts) {
    this.#parts = parts;
  }

  register(): Disposable {
    const registered = monaco.languages.registerInlineCompletionsProvider("*", this);
    return { [Symbol.dispose]: () => registered.dispose() };
  }

  /** Shows what was answered for this model as it is. */
  show(model: monaco.editor.ITextModel, item: NextEditItem): void {
    this.#asked = { model, version: model.getVersionId(), item };
    this.#changed.fire();
  }

  /** Asks again by itself, for there may be more. */
  askAgain(): void {
    this.#changed.fire();
  }

  /**
   * What was typed just now counts for less than what is left to stand: asks once more where
   * nothing is typed for a while.
   */
  #askAfterPause(model: monaco.editor.ITextModel): void {
    const version = model.getVersionId();
    if (this.#pausedAt?.model === model && this.#pausedAt.version === version) return;
    this.#pausedAt = { model, version };
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      if (!model.isDisposed() && model.getVersionId() === version) this.#changed.fire();
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
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked?.model === model && asked.version === model.getVersionId())
      return { items: toInlineEdits(model, asked.item) };
    try {
      const place = { document, position: fromMonacoPosition(position) };
      const answer = await nextEdits.ask(place, "automatic", signalOf(token));
      if (answer.kind === "silent") this.#askAfterPause(model);
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
        () => this.askAgain(),
        () => undefined,
      );
    }
  }

  disposeInlineCompletions(): void {}
}

/** A place that is only to be looked at, or is elsewhere, is shown beside the editor. */
function toInlineEdits(model: monaco.editor.ITextModel, item: NextEditItem): InlineEdit[] {
  if (item.isElsewhere || item.edits.length === 0) return [];
  return [{ ...asOneReplacement(model, item), item, isInlineEdit: true }];
}

/**
 * The editor takes one replacement: from the first edit to the last, with the text between them.
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
