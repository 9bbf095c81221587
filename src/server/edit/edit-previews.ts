import type { Connection } from "vscode-languageserver";
import type { Clock } from "../../async/index.ts";
import { type EditEvent, type EditProposal, type Preview, textsAfter } from "../../edit/index.ts";
import { type FileChange, type FileTexts, Lines } from "../../text/index.ts";
import type { Positions } from "../positions.ts";
import type { EditPreviewParams, PreviewedFile } from "../protocol/edit-preview.ts";
import { Throttle } from "../throttle.ts";

/** What {@link EditPreviews} are made with. */
export interface EditPreviewsOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly positions: Positions;
  /** The name that the client gave the request. */
  readonly name: string;
  /** The texts that the previewed edits apply to. */
  readonly files: FileTexts;
  uriOf(path: string): string;
}

/** The least milliseconds between two notifications. */
const everyMs = 100;

/**
 * Sends `emend/edit/preview` while an edit by instruction is made: at most every {@link everyMs}
 * milliseconds, and always the last state.
 */
export class EditPreviews implements Disposable {
  readonly #options: EditPreviewsOptions;
  readonly #throttle: Throttle;
  #model = "";
  #activity = "";
  #preview: Preview | undefined;
  #files: FileTexts;

  constructor(options: EditPreviewsOptions) {
    this.#options = options;
    this.#files = options.files;
    this.#throttle = new Throttle({ clock: options.clock, everyMs, notify: () => this.#send() });
  }

  /** Sets the model at work and what it is doing. */
  setActivity(model: string, activity: string): void {
    this.#model = model;
    this.#activity = activity;
    this.#throttle.touch();
  }

  receive(event: EditEvent): void {
    if (event.kind !== "preview") return;
    this.#preview = event;
    this.#throttle.touch();
  }

  /** Sets the result, and sends it at once. */
  end(model: string, proposal: Pick<EditProposal, "edit" | "files"> | undefined): void {
    this.#preview = proposal && { edit: proposal.edit };
    if (proposal !== undefined) this.#files = proposal.files;
    this.setActivity(model, "has answered");
    this.#throttle.flush();
  }

  /** Stops all notifications. */
  [Symbol.dispose](): void {
    this.#throttle[Symbol.dispose]();
  }

  #send(): void {
    const { connection, name, uriOf } = this.#options;
    const preview = this.#preview;
    const params: EditPreviewParams = {
      ...{ preview: name, model: this.#model, activity: this.#activity },
      files:
        preview === undefined
          ? []
          : previewedFiles(this.#files, preview.edit.changes, textsAfter(this.#files, preview.edit), uriOf),
      ...(preview?.at && { at: this.#placeOf(preview) }),
    };
    void connection.sendNotification("emend/edit/preview", params);
  }

  /**
   * Where the model is writing, in the text after the edit. The preview has the line of the text
   * before, in front of which the model is.
   */
  #placeOf({ edit, at }: Preview): NonNullable<EditPreviewParams["at"]> {
    const { positions, uriOf } = this.#options;
    const { path, line } = at!;
    const change = edit.changes.find(({ uri }) => uri === path);
    const pathAfter = change?.kind === "rename" ? change.uriAfter : path;
    const before = Lines.of(this.#files.get(path) ?? "");
    const offset = line < before.count ? before.start(line) : before.source.length;
    if (change?.kind === "create") {
      const lines = Lines.of(change.text);
      return { uri: uriOf(path), position: positions.toPosition(lines, change.text.length) };
    }
    const ownEdit = change?.kind === "edit" || change?.kind === "rename" ? change.edit : undefined;
    const after = ownEdit === undefined ? before : before.apply(ownEdit);
    return {
      uri: uriOf(pathAfter),
      position: positions.toPosition(after, ownEdit?.mapOffset(offset, "after") ?? offset),
    };
  }
}

/** The files that the changes affect, each once, with the texts before and after. */
function previewedFiles(
  before: FileTexts,
  changes: readonly FileChange[],
  after: FileTexts,
  uriOf: (path: string) => string,
): readonly PreviewedFile[] {
  const paths = changes.flatMap((change) => (change.kind === "rename" ? [change.uri, change.uriAfter] : [change.uri]));
  return [...new Set(paths)].map((path) => ({
    ...{ uri: uriOf(path), path },
    ...{ before: before.get(path) ?? null, after: after.get(path) ?? null },
  }));
}
