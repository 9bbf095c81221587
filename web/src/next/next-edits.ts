import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Position, WorkspaceEdit } from "vscode-languageserver-protocol";
import type { NextEditItem, NextEditResult } from "../../../src/server/suggestions/next-edit-methods.ts";
import type { OpenDocument } from "../editor/documents.ts";
import type { ServerLink } from "../page-services.ts";

/** A next edit, and the document of its request. */
export interface OfferedNextEdit {
  readonly item: NextEditItem;
  readonly uri: string;
}

/** The trigger of a request: typing or a key. */
export type NextEditTrigger = "automatic" | "invoked";

/** A place in a document. */
export interface NextEditPlace {
  readonly document: OpenDocument;
  readonly position: Position;
}

/** The active next edit, and the feedback about it to the server. */
export class NextEdits {
  readonly #server: ServerLink;
  readonly #offered: Signal<OfferedNextEdit | undefined> = signal(undefined);
  readonly #onAnswer: (trigger: NextEditTrigger) => void;

  /** `onAnswer` is called for each answered request. */
  constructor(server: ServerLink, onAnswer: (trigger: NextEditTrigger) => void) {
    this.#server = server;
    this.#onAnswer = onAnswer;
  }

  get offered(): ReadonlySignal<OfferedNextEdit | undefined> {
    return this.#offered;
  }

  /**
   * Requests a next edit at a place; its answer becomes the active next edit. Rejects as
   * {@link ServerLink.request} does.
   */
  async ask(
    { document, position }: NextEditPlace,
    trigger: NextEditTrigger,
    signal?: AbortSignal,
  ): Promise<NextEditResult> {
    const params = {
      textDocument: { uri: document.uri, version: document.model.getVersionId() },
      position,
      context: { triggerKind: trigger === "invoked" ? 1 : 2 },
    };
    const answer = await this.#server.request<NextEditResult>("emend/nextEdit", params, signal && { signal });
    this.#onAnswer(trigger);
    this.#offered.value = answer.kind === "offered" ? { item: answer.suggestion, uri: document.uri } : undefined;
    return answer;
  }

  shown({ id }: NextEditItem): void {
    this.#server.notify("emend/nextEdit/shown", { id });
  }

  /** Reports an accepted edit, which is already in the text. */
  async accepted({ id }: NextEditItem): Promise<void> {
    this.#forget(id);
    await this.#server.request("emend/nextEdit/accept", { id });
  }

  rejected({ id }: NextEditItem): void {
    this.#forget(id);
    this.#server.notify("emend/nextEdit/reject", { id });
  }

  /**
   * Accepts an edit with its related edits, and returns all of them as one edit; `undefined` if
   * they cannot be applied to the current texts.
   */
  async whole({ id }: NextEditItem): Promise<WorkspaceEdit | undefined> {
    const answer = await this.#server.request<{ readonly edit?: WorkspaceEdit | null }>("emend/nextEdit/accept", {
      ...{ id, chain: true },
    });
    this.#forget(id);
    return answer.edit ?? undefined;
  }

  /** Removes the active next edit. */
  clear(): void {
    this.#offered.value = undefined;
  }

  #forget(id: string): void {
    if (this.#offered.value?.item.id === id) this.#offered.value = undefined;
  }
}
