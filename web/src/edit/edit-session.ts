import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Range } from "vscode-languageserver-protocol";
import type { EditArgument } from "../../../src/server/edit/edit-argument.ts";
import type { EditAnswer, EditPromptAnswer } from "../../../src/server/edit/edit-command.ts";
import type { EditPreviewParams } from "../../../src/server/protocol/edit-preview.ts";
import type { EditAppliedParams, EditUndoResult, LastEdit } from "../../../src/server/protocol/edit-undo.ts";
import { errorMessage } from "../../../src/text/index.ts";
import type { PageServices } from "../page-services.ts";
import { afterEvent, type EditEvent, type EditStage, type HunkName, isTaken, resting } from "./edit-stage.ts";
import { mergedFiles } from "./merged-files.ts";
import { chosenFiles, editOf, type ProposedFile, proposedFiles } from "./proposed-files.ts";
import { printLeft, undoFiles } from "./undo-files.ts";

/** The instruction and the targets of an edit. */
export interface EditRequest {
  /** Empty for a pasted answer without an instruction. */
  readonly instruction: string;
  /** The documents that may be changed; empty for the files that the pasted answer names. */
  readonly uris: readonly string[];
  /** The range of the first document that the instruction refers to. */
  readonly range?: Range;
}

/** The last edit on disk, such as before a reload of the page. */
export interface SavedEdit {
  readonly edit: LastEdit;
  readonly isUndone: boolean;
  /** Why it was not undone. */
  readonly problem?: string;
}

/** The services of the page that the session uses. */
export type EditServices = Pick<PageServices, "server" | "files" | "texts">;

/**
 * Runs edits one at a time: requests, previews and applies them. The creator disposes of the
 * session.
 */
export class EditSession implements Disposable {
  readonly #services: EditServices;
  readonly #stage: Signal<EditStage> = signal(resting);
  readonly #previews: Disposable;
  readonly #last: Signal<SavedEdit | undefined> = signal(undefined);
  #running: AbortController | undefined;
  /** The instruction of the last request. */
  #instruction = "";
  #count = 0;

  constructor(services: EditServices) {
    this.#services = services;
    this.#previews = services.server.on<EditPreviewParams>("emend/edit/preview", (preview) =>
      this.#dispatch({ kind: "previewed", preview }),
    );
  }

  get stage(): ReadonlySignal<EditStage> {
    return this.#stage;
  }

  /** The last edit on disk that can be undone; see {@link findLast}. */
  get last(): ReadonlySignal<SavedEdit | undefined> {
    return this.#last;
  }

  /** Updates {@link last}. */
  async findLast(): Promise<void> {
    try {
      const edit = await this.#services.server.request<LastEdit | null>("emend/edit/last", {});
      this.#last.value = edit === null ? undefined : { edit, isUndone: false };
    } catch {
      // The state of the server is shown elsewhere.
      this.#last.value = undefined;
    }
  }

  /** Undoes {@link last} on disk. The editors follow the disk. */
  async undoLast(): Promise<void> {
    const { edit } = this.#last.value ?? {};
    if (edit === undefined) return;
    try {
      const params = { id: edit.id };
      const { isUndone, failureReason } = await this.#services.server.request<EditUndoResult>(
        "emend/edit/undo",
        params,
      );
      this.#last.value = { edit, isUndone, ...(failureReason !== undefined && { problem: failureReason }) };
    } catch (error) {
      this.#last.value = { edit, isUndone: false, problem: errorMessage(error) };
    }
  }

  /**
   * Requests an edit from the configured model, or reads `answer`, the pasted answer of a chat.
   * Resolves when the answer is ready for review, or after a failure or stop.
   */
  async ask(request: EditRequest, answer?: string): Promise<void> {
    this.stop();
    this.#instruction = request.instruction;
    const running = new AbortController();
    this.#running = running;
    // The name must differ from those of other pages and of this page before a reload.
    const work = `page-edit-${Date.now().toString(36)}-${++this.#count}`;
    this.#dispatch({ kind: "requested", work, isPasted: answer !== undefined });
    const argument: EditArgument = {
      ...argumentOf(request),
      preview: work,
      isReviewed: true,
      ...(answer !== undefined && { answer }),
    };
    try {
      const params = { command: "emend.edit", arguments: [argument] };
      const options = { signal: running.signal };
      const answer = await this.#services.server.request<EditAnswer>("workspace/executeCommand", params, options);
      const files = answer.edit === undefined ? [] : await proposedFiles(answer.edit, this.#fileSource());
      this.#dispatch({ kind: "answered", work, answer, files });
    } catch (error) {
      if (running.signal.aborted) this.#dispatch({ kind: "stopped", work });
      else this.#dispatch({ kind: "failed", work, message: errorMessage(error) });
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }

  /** The prompt for any chat, in place of a model request. */
  async promptFor(request: EditRequest): Promise<string> {
    const params = { command: "emend.editPrompt", arguments: [argumentOf(request)] };
    return (await this.#services.server.request<EditPromptAnswer>("workspace/executeCommand", params)).text;
  }

  /** Cancels the running request. */
  stop(): void {
    this.#running?.abort(new Error("The edit was stopped."));
  }

  /** Selects or deselects hunks. */
  choose(hunks: readonly HunkName[], taken: boolean): void {
    this.#dispatch({ kind: "chosen", hunks, isTaken: taken });
  }

  /**
   * Applies the selected hunks of the answer. Changes of other lines since the answer are kept.
   */
  async accept(): Promise<void> {
    const stage = this.#stage.value;
    if (stage.kind !== "reviewing" || stage.answer.edit === undefined) return;
    const refuse = (reason: string) => this.#dispatch({ kind: "refused", reason });
    const { texts } = this.#services;
    const chosen = chosenFiles(stage.files, (file, hunk) => isTaken(stage, file, hunk));
    if (chosen.length === 0) return refuse("No change is selected. Select at least one.");
    try {
      const merged = await mergedFiles(chosen, texts);
      if (merged.kind === "conflict") return refuse(merged.reason);
      const { applied, failureReason } = await texts.apply(editOf(merged.files));
      if (!applied) return refuse(failureReason ?? "The editor could not apply the change.");
      this.#services.server.notify("emend/edit/applied", appliedOf(this.#instruction, merged.files));
      this.#dispatch({ kind: "applied", files: merged.files });
    } catch (error) {
      refuse(errorMessage(error));
    }
  }

  /** Undoes the applied change, but for files that have changed since. */
  async undo(): Promise<void> {
    const stage = this.#stage.value;
    if (stage.kind !== "applied" || stage.isUndone) return;
    try {
      const { left } = await undoFiles(stage.files, this.#services.texts);
      this.#dispatch({ kind: "undone", left, problem: printLeft(left) });
    } catch (error) {
      this.#dispatch({ kind: "refused", reason: errorMessage(error) });
    }
  }

  /** Discards the answer; no file is changed. */
  dismiss(): void {
    this.#dispatch({ kind: "dismissed" });
  }

  [Symbol.dispose](): void {
    this.stop();
    this.#previews[Symbol.dispose]();
  }

  #dispatch(event: EditEvent): void {
    this.#stage.value = afterEvent(this.#stage.value, event);
  }

  /** The texts that the answer is for. */
  #fileSource() {
    const { texts, files } = this.#services;
    const stage = this.#stage.value;
    const previewed = stage.kind === "requesting" ? (stage.preview?.files ?? []) : [];
    return {
      // The last preview has the texts of the answer. A document may have changed while that
      // arrived.
      textOf: async (uri: string) => previewed.find((file) => file.uri === uri)?.before ?? texts.textOf(uri),
      pathOf: (uri: string) => files.tryPathOf(uri) ?? uri,
    };
  }
}

function argumentOf({ instruction, uris, range }: EditRequest): EditArgument {
  return { ...(instruction !== "" && { instruction }), ...(uris.length > 0 && { uris }), ...(range && { range }) };
}

/** The server records what is saved of the change, so that it can be undone after a reload. */
function appliedOf(instruction: string, files: readonly ProposedFile[]): EditAppliedParams {
  return {
    ...(instruction !== "" && { instruction }),
    files: files.map(({ uri, moved, before, after }) => ({ uri, ...(moved && { newUri: moved.uri }), before, after })),
  };
}
