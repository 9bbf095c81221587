import { type LifeEnd, type RequestLife, sleep } from "../complete/index.ts";
import { type Edit, Lines, type TextRange } from "../text/index.ts";
import { tryEditWindow } from "./edit-window.ts";
import { ModelAsking } from "./model-asking.ts";
import { type ModelEditsEnd, type ModelEditsRequest, modelEdits } from "./model-edits.ts";
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
} & (
  | {
      readonly kind: "answered";
      /** Which turn it is, as what is kept of it says. */
      readonly turn: number;
      /** Waits for more than so many edits of the same turn, or for its end. */
      readonly beyond: (count: number) => Promise<ModelTurnEnd>;
    }
  | {
      readonly kind: "silent";
      readonly reason: NextSilence;
      /** Whether it was asked about the text of who hears this: else others had asked, and more was typed meanwhile. */
      readonly isAbout: boolean;
    }
);

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
  /** How many wait for the turn that is under way. */
  #waiting = 0;
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
    const { path, text, cursor } = turn.request;
    if (this.#asking?.isFor(path, text, cursor) !== true) {
      this.#asking?.stop();
      if (turn.waitMs > 0) {
        const pause = sleep(this.#parts.clock, turn.waitMs);
        await life.wait(pause);
        pause.stop();
      }
      if (life.over !== undefined) return over(life.over);
      this.#asking = this.#open(turn);
    }
    return this.#beyond(0, this.#asking!, life);
  }

  async #beyond(count: number, asking: ModelAsking, life: RequestLife): Promise<ModelTurnEnd> {
    let end: ModelEditsEnd | undefined;
    this.#waiting += 1;
    try {
      end = await life.wait(asking.beyond(count));
    } catch (error) {
      // A file that was closed, or became another, has no use for the answer.
      if (asking.isStopped) return over("superseded");
      throw error;
    } finally {
      this.#waiting -= 1;
    }
    if (life.over === "cancelled") this.#leave(asking);
    if (life.over !== undefined) return over(life.over);
    const shown = this.shown(this.#count);
    if (end === undefined)
      return {
        kind: "answered",
        turn: this.#count,
        dropped: [],
        shown,
        beyond: (more) => this.#beyond(more, asking, life),
      };
    const isAbout = asking.typed.isEmpty;
    return { kind: "silent", reason: modelSilence(end.answer), dropped: end.dropped, shown, isAbout };
  }

  /** Lets a model go on for a moment: an editor takes a request back with each key, and asks again behind it. */
  #leave(asking: ModelAsking): void {
    const pause = sleep(this.#parts.clock, lingerMs);
    void pause.then(() => {
      if (this.#waiting === 0 || this.#asking !== asking) asking.stop();
    });
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
    const about = { turn, reason };
    return new ModelAsking({
      ...{ path, text, window },
      ask: (signal) => modelEdits(request, { ...asked, clock, settings, syntax, onAsk }, { signal }),
      onEdits: (edits, typed) => this.#keep(path, text, { edits, ...(window && { window }) }, { ...about, typed }),
      onEnd: (edits, { answer }, typed) => {
        if (answer.kind !== "read") return;
        if (edits.length > 0)
          this.#keep(path, text, { edits, isWhole: true, ...(window && { window }) }, { ...about, typed });
        else if (window !== undefined)
          this.#keep(path, text, { edits, window: reducedWindow(text, window, cursor) }, { ...about, typed });
      },
    });
  }
}

/** How long a model goes on when whoever waited for it took that back, in milliseconds; as in `nextEditProvider.ts` of microsoft/vscode-copilot-chat. */
const lingerMs = 1_000;

function over(kind: LifeEnd): ModelTurnEnd {
  return { kind: "silent", reason: { kind }, isAbout: true, dropped: [] };
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
