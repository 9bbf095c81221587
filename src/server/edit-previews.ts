import type { Connection } from "vscode-languageserver";
import type { Clock } from "../codebase/index.ts";
import { type EditEvent, type EditProposal, type Preview, textsAfter } from "../edit/index.ts";
import { type FileChange, type FileTexts, Lines } from "../text/index.ts";
import type { Positions } from "./positions.ts";
import type { EditPreviewParams, PreviewedFile } from "./protocol/edit-preview.ts";
import { Throttle } from "./throttle.ts";

/** What tells how an edit comes on. */
export interface EditPreviewsOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly positions: Positions;
  /** The name that the client gave the work. */
  readonly name: string;
  /** The texts that previews speak of. */
  readonly files: FileTexts;
  uriOf(path: string): string;
}

/** The fewest milliseconds between one notification and the next. */
const everyMs = 100;

/** Sends `emend/edit/preview` while an edit by an instruction comes on: not too often, and the last state always. */
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
    this.#throttle = new Throttle({ clock: options.clock, everyMs, tell: () => this.#send() });
  }

  /** Who is at work now, and what it does. */
  tell(model: string, activity: string): void {
    this.#model = model;
    this.#activity = activity;
    this.#throttle.touch();
  }

  take(event: EditEvent): void {
    if (event.kind !== "preview") return;
    this.#preview = event;
    this.#throttle.touch();
  }

  /** What came of it, which is sent at once. */
  end(model: string, proposal: Pick<EditProposal, "edit" | "files"> | undefined): void {
    this.#preview = proposal && { edit: proposal.edit };
    if (proposal !== undefined) this.#files = proposal.files;
    this.tell(model, "has answered");
    this.#throttle.flush();
  }

  /** Nothing is told any more. */
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
    // A client that has gone misses nothing it needs.
    connection.sendNotification("emend/edit/preview", params).catch(() => undefined);
  }

  /** Where the model writes, in the text after: the preview names the line of the text before in front of which it is. */
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
    const own = change?.kind === "edit" || change?.kind === "rename" ? change.edit : undefined;
    const after = own === undefined ? before : before.apply(own);
    return { uri: uriOf(pathAfter), position: positions.toPosition(after, own?.mapOffset(offset, "after") ?? offset) };
  }
}

/** The files that changes touch, each once, as they were and as they would be. */
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
