import { type Edit, printTextEdit } from "../../text/index.ts";
import type { RecordedEvent } from "./recording.ts";

/** A file at one time of a recording. */
export interface RecordedFile {
  readonly language: string;
  /** `undefined` after a checkout, until the file is opened or replaced. */
  readonly text: string | undefined;
  readonly version: number;
  readonly isOpen: boolean;
}

/**
 * The files of a workspace during a recording. Takes one event after the other, and reports events
 * that are impossible.
 *
 * Law: after an accepted event, its file's text is what an editor would show.
 */
export class RecordedTexts {
  readonly #files = new Map<string, RecordedFile>();
  /** The ids of the shown suggestions. */
  readonly #shown = new Set<string>();
  #nowMs = 0;

  /** The present files, by path. */
  get files(): ReadonlyMap<string, RecordedFile> {
    return this.#files;
  }

  /**
   * Applies an event and returns `undefined`. Where the event is impossible, changes nothing and
   * returns the problem and its remedy, in one sentence.
   */
  tryTake(event: RecordedEvent): string | undefined {
    if (event.atMs < this.#nowMs)
      return `it happens at ${event.atMs} ms, and the event before it at ${this.#nowMs} ms; put them in the order of their times`;
    const problem = this.#tryTake(event);
    if (problem === undefined) this.#nowMs = event.atMs;
    return problem;
  }

  #tryTake(event: RecordedEvent): string | undefined {
    switch (event.kind) {
      case "opened": {
        const known = this.#files.get(event.path);
        const text = event.text ?? known?.text;
        if (text === undefined) return `nothing is known of ${event.path} yet; give its \`text\``;
        if (event.isNew === true && known !== undefined)
          return `the file ${event.path} is known, and cannot be new; leave \`isNew\` out`;
        this.#files.set(event.path, { language: event.language, text, version: known?.version ?? 0, isOpen: true });
        return undefined;
      }
      case "changed":
        return this.#tryChange(event.path, event.version, event.edit);
      case "cursor": {
        const { path, offset } = event;
        return this.#tryRead(path, (text) => outside("the cursor", { start: offset, end: offset }, path, text));
      }
      case "shown": {
        const { id, path, place, edit } = event;
        if (this.#shown.has(id))
          return `${JSON.stringify(id)} was shown before; give each suggestion an \`id\` of its own`;
        const problem = this.#tryRead(
          path,
          (text) => outside("its place", place, path, text) ?? (edit && outsideOf(edit, path, text)),
        );
        if (problem === undefined) this.#shown.add(id);
        return problem;
      }
      case "accepted":
      case "rejected":
        if (this.#shown.has(event.id)) return undefined;
        return `nothing called ${JSON.stringify(event.id)} was shown; put a \`shown\` with this \`id\` in front of it`;
      case "renamed": {
        const file = this.#files.get(event.path);
        if (file === undefined) return unknown(event.path);
        this.#files.delete(event.path);
        this.#files.set(event.newPath, file);
        return undefined;
      }
      case "closed": {
        const file = this.#files.get(event.path);
        if (file?.isOpen !== true)
          return `the file ${event.path} is not open; put an \`opened\` in front of it, or take it out`;
        this.#files.set(event.path, { ...file, isOpen: false });
        return undefined;
      }
      case "replaced":
        return this.#tryReplace(event.path, event.text);
      case "removed":
        return this.#files.delete(event.path) ? undefined : unknown(event.path);
    }
  }

  #tryChange(path: string, version: number, edit: Edit): string | undefined {
    const file = this.#files.get(path);
    if (file !== undefined && version <= file.version)
      return `the file ${path} has version ${version} after it, and had ${file.version} before; let the \`version\` grow`;
    return this.#tryRead(path, (text) => {
      const problem = outsideOf(edit, path, text);
      if (problem === undefined) this.#files.set(path, { ...file!, text: edit.apply(text), version });
      return problem;
    });
  }

  #tryReplace(path: string | undefined, text: string | undefined): string | undefined {
    if (path === undefined) {
      if (text !== undefined) return "it has a `text`, and no `path` that says which file's";
      for (const [each, file] of this.#files) this.#files.set(each, { ...file, text: undefined });
      return undefined;
    }
    const file = this.#files.get(path);
    if (file === undefined) return unknown(path);
    if (text === undefined) return `it has no \`text\`: say what is in ${path} now, or that it was \`removed\``;
    this.#files.set(path, { ...file, text });
    return undefined;
  }

  #tryRead(path: string, read: (text: string) => string | undefined): string | undefined {
    const file = this.#files.get(path);
    if (file === undefined) return unknown(path);
    if (file.text === undefined)
      return `the text of ${path} is unknown since all files were replaced; put a \`replaced\` with its \`text\` in front of it`;
    return read(file.text);
  }
}

function unknown(path: string): string {
  return `nothing is known of ${path}; put an \`opened\` with its \`text\` in front of it`;
}

function outside(
  what: string,
  { start, end }: { readonly start: number; readonly end: number },
  path: string,
  text: string,
): string | undefined {
  if (end <= text.length) return undefined;
  const place = start === end ? `${start}` : `[${start}, ${end})`;
  return `${what} is at ${place}, and ${path} has ${text.length} UTF-16 units then; an event may be missing in front of it`;
}

function outsideOf(edit: Edit, path: string, text: string): string | undefined {
  const last = edit.edits.at(-1);
  if (last === undefined || last.end <= text.length) return undefined;
  return `${printTextEdit(last)} lies outside ${path}, which has ${text.length} UTF-16 units then; an event may be missing in front of it`;
}
