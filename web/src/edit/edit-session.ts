import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Range } from "vscode-languageserver-protocol";
import type { EditArgument } from "../../../src/server/edit/edit-argument.ts";
import type { EditAnswer, EditPromptAnswer } from "../../../src/server/edit/edit-command.ts";
import type { EditPreviewParams } from "../../../src/server/protocol/edit-preview.ts";
import type { PageServices } from "../page-services.ts";
import { afterHappening, type EditHappening, type EditStage, type HunkName, isTaken, resting } from "./edit-stage.ts";
import { chosenEdit, chosenFiles, proposedFiles, undoOf } from "./proposed-files.ts";

/** What is to be changed, and how. */
export interface EditWish {
  /** Empty where a chat was told otherwise. */
  readonly instruction: string;
  /** The documents that may be changed; none for those that a chat's answer names. */
  readonly uris: readonly string[];
  /** The lines of the first that it is about. */
  readonly range?: Range;
}

/** What the session needs of the page. */
export type EditServices = Pick<PageServices, "server" | "files" | "texts">;

/**
 * Carries edits out one at a time: asks, shows what comes, applies what the person takes. Whoever
 * opens it disposes of it.
 */
export class EditSession implements Disposable {
  readonly #services: EditServices;
  readonly #stage: Signal<EditStage> = signal(resting);
  readonly #previews: Disposable;
  #running: AbortController | undefined;
  #count = 0;

  constructor(services: EditServices) {
    this.#services = services;
    this.#previews = services.server.on<EditPreviewParams>("emend/edit/preview", (preview) =>
      this.#happen({ kind: "previewed", preview }),
    );
  }

  get stage(): ReadonlySignal<EditStage> {
    return this.#stage;
  }

  /**
   * Asks the model of the settings, or reads what a chat said where there is such an answer;
   * resolves once it is judged, failed or stopped.
   */
  async ask(wish: EditWish, answer?: string): Promise<void> {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    // The name must not be one that another page, or this page before it was loaded again, has
    // given.
    const work = `page-edit-${Date.now().toString(36)}-${++this.#count}`;
    this.#happen({ kind: "asked", work, isPasted: answer !== undefined });
    const argument: EditArgument = {
      ...argumentOf(wish),
      preview: work,
      isReviewed: true,
      ...(answer !== undefined && { answer }),
    };
    try {
      const params = { command: "emend.edit", arguments: [argument] };
      const options = { signal: running.signal };
      const said = await this.#services.server.request<EditAnswer>("workspace/executeCommand", params, options);
      const files = said.edit === undefined ? [] : await proposedFiles(said.edit, this.#fileSource());
      this.#happen({ kind: "answered", work, answer: said, files });
    } catch (error) {
      if (running.signal.aborted) this.#happen({ kind: "stopped", work });
      else this.#happen({ kind: "failed", work, message: messageOf(error) });
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }

  /** What to paste into any chat, instead of a model being asked. */
  async promptFor(wish: EditWish): Promise<string> {
    const params = { command: "emend.editPrompt", arguments: [argumentOf(wish)] };
    return (await this.#services.server.request<EditPromptAnswer>("workspace/executeCommand", params)).text;
  }

  /** Asks no further. */
  stop(): void {
    this.#running?.abort(new Error("The edit was stopped."));
  }

  /** Leaves hunks out of what is applied, or takes them again. */
  choose(hunks: readonly HunkName[], taken: boolean): void {
    this.#happen({ kind: "chosen", hunks, isTaken: taken });
  }

  /** Applies what is taken of the answer. */
  async accept(): Promise<void> {
    const stage = this.#stage.value;
    if (stage.kind !== "judged" || stage.answer.edit === undefined) return;
    const { files, answer } = stage;
    const edit = chosenEdit(answer.edit!, files, (file, hunk) => isTaken(stage, file, hunk));
    if (edit === undefined)
      return this.#happen({ kind: "refused", reason: "Nothing is chosen. Take at least one place." });
    const { applied, failureReason } = await this.#services.texts.apply(edit);
    if (!applied)
      return this.#happen({ kind: "refused", reason: failureReason ?? "The editor did not take the change." });
    const done = chosenFiles(files, (file, hunk) => isTaken(stage, file, hunk));
    this.#happen({ kind: "applied", files: done });
  }

  /** Takes back what was applied, unless something was changed since. */
  async undo(): Promise<void> {
    const stage = this.#stage.value;
    if (stage.kind !== "applied" || stage.isUndone) return;
    for (const { uri, path, moved, after } of stage.files) {
      const now = (await this.#services.texts.textOf(moved?.uri ?? uri)) ?? null;
      if (now === after) continue;
      const reason = `${moved?.path ?? path} was changed since. Undo in its editor instead, by Ctrl+Z.`;
      return this.#happen({ kind: "refused", reason });
    }
    const { applied, failureReason } = await this.#services.texts.apply(undoOf(stage.files));
    if (!applied) return this.#happen({ kind: "refused", reason: failureReason ?? "The editor did not take it back." });
    this.#happen({ kind: "undone" });
  }

  /** Puts away what was answered; nothing is changed. */
  dismiss(): void {
    this.#happen({ kind: "dismissed" });
  }

  [Symbol.dispose](): void {
    this.stop();
    this.#previews[Symbol.dispose]();
  }

  #happen(happening: EditHappening): void {
    this.#stage.value = afterHappening(this.#stage.value, happening);
  }

  #fileSource() {
    const { texts, files } = this.#services;
    return {
      textOf: (uri: string) => texts.textOf(uri),
      pathOf: (uri: string) => files.tryPathOf(uri) ?? uri,
    };
  }
}

function argumentOf({ instruction, uris, range }: EditWish): EditArgument {
  return { ...(instruction !== "" && { instruction }), ...(uris.length > 0 && { uris }), ...(range && { range }) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
