import { holdsPrivateKey, trySecretPath } from "../../codebase/index.ts";
import { hideSecretsInPlace } from "../../context/index.ts";
import { languageOf } from "../../syntax/index.ts";
import { Edit, type TextEdit } from "../../text/index.ts";
import type { NextEditSuggestion } from "../outcome.ts";
import { hideBack, hideIn, hideInEdit } from "./hide-back.ts";
import { type RecordedAction, type RecordedEvent, type Recording, recordingEnding } from "./recording.ts";
import { secretRanges } from "./secret-ranges.ts";

/** What a {@link Recorder} works with. */
export interface RecorderOptions {
  /** Milliseconds since some fixed moment; the recording begins with its first event. */
  now(): number;
  /** Whether the file at `path`, from the workspace's root, may be recorded; files that keep secrets never are. All others unless told. */
  mayRecord?(path: string): boolean;
  /** Told when events were added, or one of before had to hide something: those from this index on are to be written. */
  onChange?(change: { readonly from: number }): void;
  /** The most UTF-16 units of texts, and about that of memory; what comes behind is not recorded. 50,000,000 unless told. */
  readonly maxCharacters?: number;
}

/** A file as it is, and as the recording tells of it. */
interface Recorded {
  readonly language: string;
  text: string;
  /** The same with what is secret hidden; `undefined` since all was replaced. */
  told: string | undefined;
  version: number;
  isOpen: boolean;
  /** The events that made `told`, the oldest first. */
  made: number[];
}

/**
 * Writes down a session of edits: it is told what `NextEditEngine` is told, and that files are opened and closed.
 *
 * Files that keep secrets, by their path or since they hold a private key, are not recorded; what looks like a key in others is hidden unit by unit, also where it
 * was typed letter by letter.
 * Laws: the recording can be read, and its texts are those of the files but for what is hidden, at the same offsets.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #events: RecordedEvent[] = [];
  readonly #files = new Map<string, Recorded>();
  readonly #shown = new Set<string>();
  #startMs: number | undefined;
  #lastMs = 0;
  #characters = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** What was recorded so far. */
  get recording(): Recording {
    return { events: this.#events };
  }

  /** Whether there was more than may be recorded, so that nothing is recorded any more. */
  get isFull(): boolean {
    return this.#characters > (this.#options.maxCharacters ?? 50_000_000);
  }

  /** Tells that a file is looked at, and what it says; `isNew` where it was made just now. */
  opened(path: string, text: string, { language = languageOf(path).id, isNew = false } = {}): void {
    if (this.isFull || !this.#mayRecord(path, text)) return;
    const known = this.#files.get(path);
    if (known !== undefined && known.text === text && known.told !== undefined) {
      known.isOpen = true;
      this.#add({ kind: "opened", path, language: known.language });
      return;
    }
    const told = hideIn(text, secretRanges(text, language));
    const made = this.#add({
      kind: "opened",
      path,
      language,
      text: told,
      ...(isNew && known === undefined && { isNew }),
    });
    this.#files.set(path, { language, text, told, version: known?.version ?? 0, isOpen: true, made: [made] });
  }

  /** Tells of an edit, as `NextEditEngine.changed`. A file that was not heard of is opened with `before`. */
  changed(path: string, before: string, edit: Edit): void {
    if (this.isFull || edit.isEmpty) return;
    const file = this.#fileWith(path, before);
    if (file?.told === undefined) return;
    const after = edit.apply(before);
    if (!this.#mayRecord(path, after)) {
      this.removed(path);
      return;
    }
    file.version += 1;
    const index = this.#append({ kind: "changed", path, version: file.version, edit });
    file.made.push(index);
    file.text = after;
    const secrets = secretRanges(after, file.language, edit);
    file.told = hideIn(edit.apply(file.told), secrets);
    this.#changedFrom(hideBack(this.#events, file.made, secrets) ?? index);
  }

  /** Tells where the cursor is. */
  cursor(path: string, offset: number): void {
    const file = this.#files.get(path);
    if (this.isFull || file?.told === undefined || offset > file.text.length) return;
    this.#add({ kind: "cursor", path, offset });
  }

  /** Tells that a suggestion is seen. One that is seen again is told once. */
  shown(suggestion: NextEditSuggestion): void {
    const { id, path, origin, reason, place, edit, model, likelihood } = suggestion;
    if (this.isFull || this.#shown.has(id)) return;
    const file = this.#fileWith(path, suggestion.text);
    if (file === undefined) return;
    this.#shown.add(id);
    this.#add({
      ...{ kind: "shown", id, path, origin, place },
      reason: hideSecretsInPlace(reason).text,
      ...(edit !== undefined && { edit: withoutSecrets(edit, suggestion.text, file.language) }),
      ...(model !== undefined && { model }),
      ...(likelihood !== undefined && { likelihood }),
    });
  }

  /** Tells that a suggestion was taken, or of its edit the part that is told; of one that is not recorded nothing is. */
  accepted(id: string, part?: readonly TextEdit[]): void {
    if (this.isFull || !this.#shown.has(id)) return;
    const edits = part?.map((edit) => ({ ...edit, text: hideSecretsInPlace(edit.text).text }));
    this.#add({ kind: "accepted", id, ...(edits !== undefined && { part: Edit.of(edits) }) });
  }

  /** Tells that a suggestion was not wanted. */
  rejected(id: string): void {
    if (!this.isFull && this.#shown.has(id)) this.#add({ kind: "rejected", id });
  }

  /** Tells that a file has another path now. */
  renamed(path: string, newPath: string): void {
    const file = this.#files.get(path);
    if (this.isFull || file === undefined || path === newPath) return;
    if (!this.#mayRecord(newPath, "")) {
      this.removed(path);
      return;
    }
    this.#files.delete(path);
    this.#files.set(newPath, file);
    this.#add({ kind: "renamed", path, newPath });
  }

  /** Tells that a file is not looked at any more. */
  closed(path: string): void {
    const file = this.#files.get(path);
    if (this.isFull || file?.isOpen !== true) return;
    file.isOpen = false;
    this.#add({ kind: "closed", path });
  }

  /** Tells that a file says something else and nobody edited it; without a path, that this may be so of all files. */
  replaced(path?: string, text?: string): void {
    if (this.isFull) return;
    if (path === undefined) {
      if (this.#files.size === 0) return;
      for (const file of this.#files.values()) file.told = undefined;
      this.#add({ kind: "replaced" });
      return;
    }
    const file = this.#files.get(path);
    if (file === undefined) return;
    if (text === undefined) {
      // The recording cannot go on from what the file said; what it says is told when it is seen again, and told as new even if it is the same.
      file.told = undefined;
      return;
    }
    if (file.told !== undefined && file.text === text) return;
    if (!this.#mayRecord(path, text)) {
      this.removed(path);
      return;
    }
    file.text = text;
    file.told = hideIn(text, secretRanges(text, file.language));
    file.made = [this.#add({ kind: "replaced", path, text: file.told })];
  }

  /** Tells that there is no such file any more. */
  removed(path: string): void {
    if (!this.isFull && this.#files.delete(path)) this.#add({ kind: "removed", path });
  }

  /** The file at `path` with `text`, told of first where it was not or said something else. */
  #fileWith(path: string, text: string): Recorded | undefined {
    if (this.#files.has(path)) this.replaced(path, text);
    else this.opened(path, text);
    return this.#files.get(path);
  }

  #mayRecord(path: string, text: string): boolean {
    if (trySecretPath(path) !== undefined || holdsPrivateKey(text)) return false;
    // A recording that records itself would have no end.
    if (path.endsWith(recordingEnding)) return false;
    return this.#options.mayRecord?.(path) ?? true;
  }

  #add(action: RecordedAction): number {
    const index = this.#append(action);
    this.#changedFrom(index);
    return index;
  }

  #append(action: RecordedAction): number {
    const now = this.#options.now();
    this.#startMs ??= now;
    // Clocks of the system go back now and then.
    this.#lastMs = Math.max(this.#lastMs, Math.round(now - this.#startMs));
    this.#characters += 80 + charactersOf(action);
    return this.#events.push({ atMs: this.#lastMs, ...action }) - 1;
  }

  #changedFrom(from: number): void {
    this.#options.onChange?.({ from });
  }
}

/** An edit of `text` with what looks like a key hidden in what it inserts. */
function withoutSecrets(edit: Edit, text: string, language: string): Edit {
  return hideInEdit(edit, secretRanges(edit.apply(text), language, edit)).edit ?? edit;
}

function charactersOf(action: RecordedAction): number {
  switch (action.kind) {
    case "opened":
    case "replaced":
      return action.text?.length ?? 0;
    case "changed":
      return action.edit.edits.reduce((sum, { text }) => sum + text.length, 0);
    default:
      return 0;
  }
}
