import { type RequestLife, sleep } from "../complete/index.ts";
import { type Edit, Lines, type TextRange } from "../text/index.ts";
import { tryEditWindow } from "./edit-window.ts";
import { ModelAsking } from "./model-asking.ts";
import { type ModelEditsRequest, modelEdits } from "./model-edits.ts";
import { modelSilence } from "./model-silence.ts";
import type { NextEditParts } from "./next-edit-parts.ts";
import type { NextSilence } from "./outcome.ts";
import type { NextEditSettings } from "./settings.ts";
import type { ShownScene } from "./shown-scene.ts";
import type { DroppedEdit } from "./sound-steps.ts";
import { type KeptAnswer, reducedWindow } from "./suggestion-cache.ts";

/** Where a model is asked, and why. */
export interface ModelTurn {
  readonly request: ModelEditsRequest;
  /** The reason that is told with what it proposes. */
  readonly reason: string;
  /** How long the person has to pause before it is asked, in milliseconds. */
  readonly waitMs: number;
}

/** What came of a turn. */
export type ModelTurnEnd = {
  /** What it proposed and what was held back at once. */
  readonly dropped: readonly DroppedEdit[];
  /** What the model was shown, once it was asked. */
  readonly shown?: ShownScene | undefined;
} & ({ readonly kind: "answered" } | { readonly kind: "silent"; readonly reason: NextSilence });

/** Keeps what came for a text of the file at `path`, which was changed by `typed` since. */
export type KeepAnswer = (
  path: string,
  text: string,
  answer: Omit<KeptAnswer<unknown>, "data">,
  about: { readonly turn: number; readonly reason: string; readonly typed: Edit },
) => void;

/** What a model is asked with. */
type TurnParts = Pick<NextEditParts, "clock" | "settings" | "syntax"> & Required<Pick<NextEditParts, "model">>;

/** The turns of a model: one at a time, which goes on while what is typed may agree with its answer. */
export class ModelTurns {
  readonly #parts: TurnParts;
  readonly #keep: KeepAnswer;
  #asking: ModelAsking | undefined;
  #count = 0;
  #shown: { readonly turn: number; readonly scene: ShownScene } | undefined;

  constructor(parts: TurnParts, keep: KeepAnswer) {
    this.#parts = parts;
    this.#keep = keep;
  }

  /** Takes in a change of a file, whose text was `before`. */
  follow(path: string, before: string, edit: Edit): void {
    this.#asking?.follow(path, before, edit);
  }

  /** Stops what is under way for a file, or for any. */
  stop(path?: string): void {
    if (path === undefined || this.#asking?.path === path) this.#asking?.stop();
  }

  /** Waits for the first edit, or for the end where there is none. A turn that is under way for the same place is joined. */
  async take(turn: ModelTurn, life: RequestLife): Promise<ModelTurnEnd> {
    const { path, text } = turn.request;
    if (this.#asking?.isFor(path, text) !== true) {
      this.#asking?.stop();
      if (turn.waitMs > 0) {
        const pause = sleep(this.#parts.clock, turn.waitMs);
        await life.wait(pause);
        pause.stop();
      }
      if (life.over !== undefined) return { kind: "silent", reason: { kind: life.over }, dropped: [] };
      this.#asking = this.#open(turn);
    }
    const asking = this.#asking!;
    const end = await life.wait(asking.first);
    if (life.over === "cancelled") asking.stop();
    if (life.over !== undefined) return { kind: "silent", reason: { kind: life.over }, dropped: [] };
    const shown = this.shown(this.#count);
    if (end === undefined) return { kind: "answered", dropped: [], shown };
    return { kind: "silent", reason: modelSilence(end.answer), dropped: end.dropped, shown };
  }

  /** What the model was shown in a turn, if that was the last one. */
  shown(turn: number): ShownScene | undefined {
    return this.#shown?.turn === turn ? this.#shown.scene : undefined;
  }

  #open({ request, reason }: ModelTurn): ModelAsking {
    const { model: asked, clock, settings, syntax } = this.#parts;
    const { path, text, cursor } = request;
    const window = windowAround(request, settings);
    const turn = ++this.#count;
    const onAsk = (scene: ShownScene) => {
      if (turn === this.#count) this.#shown = { turn, scene };
    };
    const asking = new ModelAsking({
      ...{ path, text },
      ask: (signal) => modelEdits(request, { ...asked, clock, settings, syntax, onAsk }, { signal }),
      onEdits: (edits, typed) => this.#keep(path, text, { edits, ...(window && { window }) }, { turn, reason, typed }),
    });
    void asking.first.then(
      (end) => {
        if (end?.answer.kind !== "read" || window === undefined) return;
        const nothing = { edits: [], window: reducedWindow(text, window, cursor) };
        this.#keep(path, text, nothing, { turn, reason, typed: asking.typed });
      },
      () => undefined,
    );
    return asking;
  }
}

/** Where the cursor may be for an answer of a model: all that it may have been shown to write anew. */
function windowAround(
  { text, cursor, language }: ModelEditsRequest,
  { scene }: NextEditSettings,
): TextRange | undefined {
  const lines = Lines.of(text);
  const place = { lines, cursorLine: lines.lineAt(cursor), language, isRetry: true };
  const window = tryEditWindow(place, scene)?.window;
  return window && { start: lines.start(window.start), end: lines.end(window.end - 1) };
}
