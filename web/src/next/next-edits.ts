import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Position, WorkspaceEdit } from "vscode-languageserver-protocol";
import type { NextEditItem, NextEditResult } from "../../../src/server/suggestions/next-edit-methods.ts";
import type { OpenDocument } from "../editor/documents.ts";
import type { ServerLink } from "../page-services.ts";

/** What is edited next, and where it was asked from. */
export interface OfferedNextEdit {
  readonly item: NextEditItem;
  readonly uri: string;
}

/** Who wants to know: a pause of the person, or a key. */
export type NextEditTrigger = "automatic" | "invoked";

/** A place in a document. */
export interface NextEditPlace {
  readonly document: OpenDocument;
  readonly position: Position;
}

/** The next edit that is offered at the moment, and what is told to the server of it. */
export class NextEdits {
  readonly #server: ServerLink;
  readonly #offered: Signal<OfferedNextEdit | undefined> = signal(undefined);
  readonly #onAnswer: (trigger: NextEditTrigger) => void;

  /** `onAnswer` is called once a request is answered. */
  constructor(server: ServerLink, onAnswer: (trigger: NextEditTrigger) => void) {
    this.#server = server;
    this.#onAnswer = onAnswer;
  }

  get offered(): ReadonlySignal<OfferedNextEdit | undefined> {
    return this.#offered;
  }

  /**
   * Asks at a place; what is answered is offered from then on. Rejects as
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

  /** The person has taken it: the text has it by now. */
  async accepted({ id }: NextEditItem): Promise<void> {
    this.#forget(id);
    await this.#server.request("emend/nextEdit/accept", { id });
  }

  rejected({ id }: NextEditItem): void {
    this.#forget(id);
    this.#server.notify("emend/nextEdit/reject", { id });
  }

  /**
   * All that is one thing with it, to be applied; `undefined` where that would break something by
   * now.
   */
  async whole({ id }: NextEditItem): Promise<WorkspaceEdit | undefined> {
    const answer = await this.#server.request<{ readonly edit?: WorkspaceEdit | null }>("emend/nextEdit/accept", {
      ...{ id, chain: true },
    });
    this.#forget(id);
    return answer.edit ?? undefined;
  }

  /** Nothing is offered for this text any more. */
  clear(): void {
    this.#offered.value = undefined;
  }

  #forget(id: string): void {
    if (this.#offered.value?.item.id === id) this.#offered.value = undefined;
  }
}
