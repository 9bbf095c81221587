import { hideSecretsInPlace } from "../../context/index.ts";
import { rangesOfSecrets } from "../../model/index.ts";
import { languageOf } from "../../syntax/index.ts";
import { Edit, type TextEdit, type TextRange } from "../../text/index.ts";
import { holdsPrivateKey, trySecretPath } from "../../workspace/index.ts";
import type { NextEditSuggestion } from "../engine/outcome.ts";
import { type RecordedAction, type RecordedEvent, type Recording, recordingEnding } from "./recording.ts";

/** Options of a {@link Recorder}. */
export interface RecorderOptions {
  /** Milliseconds since some fixed time; the recording begins with its first event. */
  now(): number;
  /**
   * Whether the file at `path`, relative to the workspace's root, may be recorded. Default: all
   * files. Secret files never are.
   */
  mayRecord?(path: string): boolean;
  /** Configured secrets, which are hidden like text that looks like a key. */
  readonly secrets?: readonly string[];
  /**
   * Called when events were added, or an earlier one had to hide something: the events from index
   * `from` on must be written.
   */
  onChange?(change: { readonly from: number }): void;
  /**
   * The most UTF-16 units of recorded texts, which bounds the memory; later events are not
   * recorded. Default 50,000,000.
   */
  readonly maxCharacters?: number;
}

/** A file's present text, and its text in the recording. */
interface Recorded {
  readonly language: string;
  text: string;
  /** The text in the recording, with secrets hidden; `undefined` after all files were replaced. */
  recordedText: string | undefined;
  version: number;
  isOpen: boolean;
  /** The indexes of the events that made `recordedText`, the oldest first. */
  made: number[];
}

/**
 * Records a session of edits. It receives the calls that `NextEditEngine` receives, and the opening
 * and closing of files. Calls about files that are not recorded are ignored.
 *
 * Secret files, by their path or because they contain a private key, are not recorded. Text that
 * looks like a key in other files is hidden unit by unit, also where it was typed letter by letter.
 * Laws: the recording can be read, and its texts equal those of the files except for hidden ranges,
 * at the same offsets.
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

  /** The recording so far. */
  get recording(): Recording {
    return { events: this.#events };
  }

  /** Whether the limit was exceeded, so that nothing is recorded any more. */
  get isFull(): boolean {
    return this.#characters > (this.#options.maxCharacters ?? 50_000_000);
  }

  /** Records that a file was opened with a text; `isNew` where it was just created. */
  opened(path: string, text: string, { language = languageOf(path).id, isNew = false } = {}): void {
    if (this.isFull || !this.#mayRecord(path, text)) return;
    const known = this.#files.get(path);
    if (known !== undefined && known.text === text && known.recordedText !== undefined) {
      known.isOpen = true;
      this.#add({ kind: "opened", path, language: known.language });
      return;
    }
    const recordedText = hideIn(text, this.#secretsIn(text, language));
    const made = this.#add({
      kind: "opened",
      path,
      language,
      text: recordedText,
      ...(isNew && known === undefined && { isNew }),
    });
    this.#files.set(path, { language, text, recordedText, version: known?.version ?? 0, isOpen: true, made: [made] });
  }

  /**
   * Records an edit, as `NextEditEngine.changed`. An unknown file is opened with `before` first.
   */
  changed(path: string, before: string, edit: Edit): void {
    if (this.isFull || edit.isEmpty) return;
    const file = this.#fileWith(path, before);
    if (file?.recordedText === undefined) return;
    const after = edit.apply(before);
    if (!this.#mayRecord(path, after)) {
      this.removed(path);
      return;
    }
    file.version += 1;
    const index = this.#append({ kind: "changed", path, version: file.version, edit });
    file.made.push(index);
    file.text = after;
    const secrets = this.#secretsIn(after, file.language, edit);
    file.recordedText = hideIn(edit.apply(file.recordedText), secrets);
    this.#changedFrom(hideBack(this.#events, file.made, secrets) ?? index);
  }

  /**
   * Records the cursor's offset in UTF-16 units. Nothing for a file that is not recorded, or an
   * offset behind its end.
   */
  cursor(path: string, offset: number): void {
    const file = this.#files.get(path);
    if (this.isFull || file?.recordedText === undefined || offset > file.text.length) return;
    this.#add({ kind: "cursor", path, offset });
  }

  /** Records that a suggestion was shown; only the first time for each id. */
  shown(suggestion: NextEditSuggestion): void {
    const { id, path, origin, reason, place, edit, model, likelihood } = suggestion;
    if (this.isFull || this.#shown.has(id)) return;
    const file = this.#fileWith(path, suggestion.text);
    if (file === undefined) return;
    this.#shown.add(id);
    this.#add({
      ...{ kind: "shown", id, path, origin, place },
      reason: this.#hidden(reason),
      ...(edit !== undefined && { edit: this.#withoutSecrets(edit, suggestion.text, file.language) }),
      ...(model !== undefined && { model }),
      ...(likelihood !== undefined && { likelihood }),
    });
  }

  /**
   * Records that a suggestion was accepted, or the given part of its edit. Nothing for a suggestion
   * that was not recorded.
   */
  accepted(id: string, part?: readonly TextEdit[]): void {
    if (this.isFull || !this.#shown.has(id)) return;
    const edits = part?.map((edit) => ({ ...edit, text: this.#hidden(edit.text) }));
    this.#add({ kind: "accepted", id, ...(edits !== undefined && { part: Edit.of(edits) }) });
  }

  /** Records that a suggestion was rejected. Nothing for one that was not recorded. */
  rejected(id: string): void {
    if (!this.isFull && this.#shown.has(id)) this.#add({ kind: "rejected", id });
  }

  /** Records that a file was moved. */
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

  /** Records that a file was closed. */
  closed(path: string): void {
    const file = this.#files.get(path);
    if (this.isFull || file?.isOpen !== true) return;
    file.isOpen = false;
    this.#add({ kind: "closed", path });
  }

  /**
   * Records that a file's text was replaced other than by editing; without a path, that this may be
   * so for all files. Without a text, the file's text is unknown until it is opened again.
   */
  replaced(path?: string, text?: string): void {
    if (this.isFull) return;
    if (path === undefined) {
      if (this.#files.size === 0) return;
      for (const file of this.#files.values()) file.recordedText = undefined;
      this.#add({ kind: "replaced" });
      return;
    }
    const file = this.#files.get(path);
    if (file === undefined) return;
    if (text === undefined) {
      // The recorded text is outdated. The present one is recorded when the file is seen again,
      // even if it is equal.
      file.recordedText = undefined;
      return;
    }
    if (file.recordedText !== undefined && file.text === text) return;
    if (!this.#mayRecord(path, text)) {
      this.removed(path);
      return;
    }
    file.text = text;
    file.recordedText = hideIn(text, this.#secretsIn(text, file.language));
    file.made = [this.#add({ kind: "replaced", path, text: file.recordedText })];
  }

  /** Records that a file was removed. */
  removed(path: string): void {
    if (!this.isFull && this.#files.delete(path)) this.#add({ kind: "removed", path });
  }

  /** The file at `path` with `text`, which is recorded first where it is new or different. */
  #fileWith(path: string, text: string): Recorded | undefined {
    if (this.#files.has(path)) this.replaced(path, text);
    else this.opened(path, text);
    return this.#files.get(path);
  }

  #mayRecord(path: string, text: string): boolean {
    if (trySecretPath(path) !== undefined || holdsPrivateKey(text)) return false;
    // A recording that records itself would never end.
    if (path.endsWith(recordingEnding)) return false;
    return this.#options.mayRecord?.(path) ?? true;
  }

  /** An edit of `text`, with secrets hidden in its inserted text. */
  #withoutSecrets(edit: Edit, text: string, language: string): Edit {
    return hideInEdit(edit, this.#secretsIn(edit.apply(text), language, edit)).edit ?? edit;
  }

  #secretsIn(text: string, language: string, edit?: Edit): readonly TextRange[] {
    return secretRanges(text, language, { edit, secrets: this.#options.secrets });
  }

  #hidden(text: string): string {
    const { secrets = [] } = this.#options;
    return hideSecretsInPlace(hideIn(text, rangesOfSecrets(text, secrets))).text;
  }

  #add(action: RecordedAction): number {
    const index = this.#append(action);
    this.#changedFrom(index);
    return index;
  }

  #append(action: RecordedAction): number {
    const now = this.#options.now();
    this.#startMs ??= now;
    // System clocks are set back now and then.
    this.#lastMs = Math.max(this.#lastMs, Math.round(now - this.#startMs));
    this.#characters += 80 + charactersOf(action);
    return this.#events.push({ atMs: this.#lastMs, ...action }) - 1;
  }

  #changedFrom(from: number): void {
    this.#options.onChange?.({ from });
  }
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

/** Options of {@link secretRanges}. */
interface SecretRangesOptions {
  /** The edit that made the text: only the lines that it touched are searched. */
  readonly edit?: Edit | undefined;
  /** Configured secrets. */
  readonly secrets?: readonly string[] | undefined;
}

/**
 * Returns the ranges of a text with keys, tokens and passwords (see `hideSecrets`) and configured
 * secrets, in order and disjoint.
 */
function secretRanges(
  text: string,
  language: string,
  { edit, secrets = [] }: SecretRangesOptions = {},
): readonly TextRange[] {
  const find = (part: string, offset: number) => rangesIn(part, { language, secrets, offset });
  if (edit === undefined) return find(text, 0);
  const ranges: TextRange[] = [];
  let last = 0;
  // A secret is recognized by its line alone.
  for (const { start, end } of edit.rangesAfter()) {
    const from = Math.max(last, text.lastIndexOf("\n", start - 1) + 1);
    const lineEnd = text.indexOf("\n", end);
    const to = lineEnd < 0 ? text.length : lineEnd;
    if (to <= from) continue;
    ranges.push(...find(text.slice(from, to), from));
    last = to;
  }
  return ranges;
}

function rangesIn(
  text: string,
  at: { readonly language: string; readonly secrets: readonly string[]; readonly offset: number },
): readonly TextRange[] {
  const { text: shown, hidden } = hideSecretsInPlace(text, at.language);
  const configured = rangesOfSecrets(text, at.secrets);
  if (hidden === 0 && configured.length === 0) return [];
  const isHidden = new Uint8Array(text.length);
  for (const { start, end } of configured) isHidden.fill(1, start, end);
  for (let index = 0; index < text.length; index++) if (text[index] !== shown[index]) isHidden[index] = 1;
  const ranges: TextRange[] = [];
  for (let index = 0; index < text.length; index++) {
    const start = index;
    while (isHidden[index] === 1) index += 1;
    if (start < index) ranges.push({ start: at.offset + start, end: at.offset + index });
  }
  return ranges;
}

/** The replacement of each hidden UTF-16 unit. */
const mark = "…";

/**
 * Hides ranges of a file's present text in all events that contain their characters: the edits that
 * inserted them and the text that the file began with. A key typed letter by letter is recognized
 * only at its end.
 *
 * `indexes` are the events that made the text, the oldest first; changed ones are replaced in
 * `events`. Returns the index of the first changed event, or `undefined` where none changed. Law:
 * offsets stay valid; the events produce the present text with `…` in the ranges.
 */
function hideBack(
  events: RecordedEvent[],
  indexes: readonly number[],
  ranges: readonly TextRange[],
): number | undefined {
  let left: readonly TextRange[] = ranges.filter(({ start, end }) => start < end);
  let first: number | undefined;
  for (const index of indexes.toReversed()) {
    if (left.length === 0) break;
    const event = events[index]!;
    if (event.kind === "changed") {
      const { edit, before } = hideInEdit(event.edit, left);
      left = before;
      if (edit === undefined) continue;
      events[index] = { ...event, edit };
      first = index;
    } else if ((event.kind === "opened" || event.kind === "replaced") && event.text !== undefined) {
      events[index] = { ...event, text: hideIn(event.text, left) };
      return index;
    }
  }
  return first;
}

/** Returns `text` with each UTF-16 unit of the ranges replaced by `…`. */
function hideIn(text: string, ranges: readonly TextRange[]): string {
  return Edit.of(ranges.map(({ start, end }) => ({ start, end, text: mark.repeat(end - start) }))).apply(text);
}

/**
 * Hides ranges of the text after an edit. `edit` is the edit with its inserted text hidden, absent
 * where it inserted none of them; `before` are the remaining ranges in the text before the edit.
 */
function hideInEdit(
  edit: Edit,
  ranges: readonly TextRange[],
): { readonly edit?: Edit; readonly before: readonly TextRange[] } {
  const before: TextRange[] = [];
  const edits: TextEdit[] = [];
  let isHidden = false;
  // The offset of the text between two replacements, compared with the text before.
  let shift = 0;
  let survivors = 0;
  const takeSurvivors = (end: number) => {
    for (const range of overlaps(ranges, { start: survivors, end }))
      before.push({ start: range.start - shift, end: range.end - shift });
  };
  for (const [index, after] of edit.rangesAfter().entries()) {
    takeSurvivors(after.start);
    const part = edit.edits[index]!;
    const hidden = overlaps(ranges, after).map(({ start, end }) => ({
      start: start - after.start,
      end: end - after.start,
    }));
    isHidden ||= hidden.length > 0;
    edits.push({ ...part, text: hideIn(part.text, hidden) });
    shift += part.text.length - (part.end - part.start);
    survivors = after.end;
  }
  takeSurvivors(Number.POSITIVE_INFINITY);
  return { ...(isHidden && { edit: Edit.of(edits) }), before };
}

/** The parts of the ranges within `bounds`. */
function overlaps(ranges: readonly TextRange[], bounds: TextRange): readonly TextRange[] {
  return ranges
    .map(({ start, end }) => ({ start: Math.max(start, bounds.start), end: Math.min(end, bounds.end) }))
    .filter(({ start, end }) => start < end);
}
