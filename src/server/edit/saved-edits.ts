import { SerialQueue } from "../../async/index.ts";
import {
  type EditorEdit,
  type EditorFile,
  type JournalOptions,
  recordSavedEdit,
  type UndoStop,
} from "../../edit/node/index.ts";

/** Where edits by instruction are recorded, so that they can be undone after a restart. */
export interface EditJournalHost {
  readonly journal: JournalOptions;
  /**
   * The absolute path of the workspace that a workspace folder of the editor belongs to, as the
   * command line finds it.
   */
  rootOf(folder: string): Promise<string>;
  /** Why an edit cannot be undone, and what to do, as a text for people. */
  explainStop(stop: UndoStop, root: string): string;
}

/** An edit that the editor applied. */
export interface AppliedEdit extends EditorEdit {
  /** The absolute workspace folder of the files, links resolved. */
  readonly folder: string;
}

/** What {@link SavedEdits} are made with. */
export interface SavedEditsParts {
  readonly host: EditJournalHost;
  /** Whether the editor has a document of the file, which it saves itself. */
  isOpen(path: string): boolean;
  onFailure(error: unknown): void;
}

/**
 * Records edits by instruction in the journal of `emend undo` once the editor has saved them. All
 * paths are absolute.
 */
export class SavedEdits implements AsyncDisposable {
  readonly #parts: SavedEditsParts;
  readonly #queue = new SerialQueue();
  /** The edits with files that are not saved yet, the oldest first. */
  #unsaved: readonly UnsavedEdit[] = [];

  constructor(parts: SavedEditsParts) {
    this.#parts = parts;
  }

  /** Takes an edit that was applied. Files that are not open are on disk already. */
  applied(edit: AppliedEdit): void {
    const unsaved = { ...edit };
    this.#unsaved = [...this.#unsaved, unsaved].slice(-maxUnsaved);
    const closed = edit.files.filter(({ path, pathAfter = path }) => !this.#parts.isOpen(pathAfter));
    this.#record(unsaved, closed);
  }

  /** Notices that the editor has saved a file. */
  saved(path: string): void {
    for (const edit of this.#unsaved)
      this.#record(
        edit,
        edit.files.filter((file) => file.path === path || file.pathAfter === path),
      );
  }

  /** Waits until what was saved is recorded. */
  async settled(): Promise<void> {
    await this.#queue.settled();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.settled();
  }

  #record(edit: UnsavedEdit, files: readonly EditorFile[]): void {
    if (files.length === 0) return;
    const { host, onFailure } = this.#parts;
    const record = async () => {
      const later = this.#unsaved.slice(this.#unsaved.indexOf(edit) + 1).flatMap(({ files }) => files);
      const isEditedAgain = (path: string) => later.some((file) => file.path === path);
      const { instruction, id } = edit;
      const recorded = await recordSavedEdit(
        await host.rootOf(edit.folder),
        {
          ...{ instruction, ...(id !== undefined && { id }) },
          files: files.map((file) => ({ ...file, isEditedAgain: isEditedAgain(file.path) })),
        },
        { journal: host.journal },
      );
      if (recorded === undefined) return;
      edit.id = recorded.id;
      edit.files = edit.files.filter(({ path }) => !recorded.paths.includes(path));
      if (edit.files.length === 0) this.#unsaved = this.#unsaved.filter((one) => one !== edit);
    };
    this.#queue.run(record).catch(onFailure);
  }
}

/** An edit with the files that are not saved yet. */
interface UnsavedEdit extends Omit<AppliedEdit, "files"> {
  files: readonly EditorFile[];
  /** The entry with the files that are saved. */
  id?: number;
}

/** The most edits that wait for a save; the oldest are forgotten. */
const maxUnsaved = 50;
