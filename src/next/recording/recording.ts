import type { Edit, TextRange } from "../../text/index.ts";
import type { NextEditOrigin } from "../providers/next-edit-provider.ts";

/**
 * A recorded session: the user's edits of the files of a workspace, and the suggestions shown
 * meanwhile. Written as `*.edits.json`.
 */
export interface Recording {
  /** The events in order; times never decrease. */
  readonly events: readonly RecordedEvent[];
}

/** An action and its time, in whole milliseconds since the recording began. */
export type RecordedEvent = { readonly atMs: number } & RecordedAction;

/**
 * An action. Paths are relative to the workspace's root, with `/`; offsets count UTF-16 units of
 * the text at that time.
 */
export type RecordedAction =
  /**
   * A file was opened. `text` is left out where it is the last recorded text of the file. A file
   * without `isNew` existed from the beginning, with this text.
   */
  | {
      readonly kind: "opened";
      readonly path: string;
      /** The language id, as in the language registry. */
      readonly language: string;
      readonly text?: string;
      readonly isNew?: true;
    }
  /** A file was edited. `version` increases with every edit of the file. */
  | { readonly kind: "changed"; readonly path: string; readonly version: number; readonly edit: Edit }
  | { readonly kind: "cursor"; readonly path: string; readonly offset: number }
  /** A suggestion was shown. Without an `edit` only its location was shown. */
  | {
      readonly kind: "shown";
      /** Identifies it in later events. */
      readonly id: string;
      readonly path: string;
      readonly origin: NextEditOrigin;
      readonly reason: string;
      readonly place: TextRange;
      readonly edit?: Edit;
      readonly model?: string;
      readonly likelihood?: number;
    }
  /**
   * It was accepted: all of it, or this part of its edit. The text changes by a separate `changed`.
   */
  | { readonly kind: "accepted"; readonly id: string; readonly part?: Edit }
  | { readonly kind: "rejected"; readonly id: string }
  | { readonly kind: "renamed"; readonly path: string; readonly newPath: string }
  /** The file was closed; its text stays. */
  | { readonly kind: "closed"; readonly path: string }
  /**
   * A file's text was replaced other than by editing, such as by another branch or program. Without
   * a path that may be so for all files; the texts that are seen again follow.
   */
  | { readonly kind: "replaced"; readonly path?: string; readonly text?: string }
  /** The file was removed. */
  | { readonly kind: "removed"; readonly path: string };

/** The version of the format that this Emend reads and writes. */
export const recordingVersion = 1;

/** The suffix of a key that was given twice in one object. JSON allows that; recordings do not. */
export const givenTwice = "\u0000twice";

/** The file name ending of recordings. */
export const recordingEnding = ".edits.json";

/** The value of a recording's `format` field. */
export const recordingFormat = "emend-edits";

/**
 * Returns a recording as the text of an `*.edits.json`: JSON with one event a line and its fields
 * in a fixed order, so that it is diffed and merged like source.
 *
 * Law: `readRecording` reads it as the same recording.
 */
export function writeRecording({ events }: Recording): string {
  return recordingHead + events.map(writeEvent).join(eventSeparator) + recordingTail(events.length);
}

/** The text before the first event. */
export const recordingHead = `{
  "format": ${JSON.stringify(recordingFormat)},
  "version": ${recordingVersion},
  "events": [
`;

/** The text between two events. */
export const eventSeparator = ",\n";

/** The text after the last of `count` events. */
export function recordingTail(count: number): string {
  return count === 0 ? "  ]\n}\n" : "\n  ]\n}\n";
}

/** Returns one event as its line, without the line break. */
export function writeEvent(event: RecordedEvent): string {
  const { atMs, kind } = event;
  const fields = Object.entries({ atMs, kind, ...fieldsOf(event) }).filter(([, value]) => value !== undefined);
  return `    { ${fields.map(([name, value]) => `${JSON.stringify(name)}: ${printed(value)}`).join(", ")} }`;
}

function printed(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(printed).join(", ")}]` : JSON.stringify(value);
}

function fieldsOf(event: RecordedEvent): Readonly<Record<string, unknown>> {
  switch (event.kind) {
    case "opened":
      return { path: event.path, language: event.language, isNew: event.isNew, text: event.text };
    case "changed":
      return { path: event.path, version: event.version, edits: editsOf(event.edit) };
    case "cursor":
      return { path: event.path, offset: event.offset };
    case "shown": {
      const { id, path, origin, model, reason, likelihood, place, edit } = event;
      return { id, path, origin, model, reason, likelihood, place: [place.start, place.end], edits: editsOf(edit) };
    }
    case "accepted":
      return { id: event.id, edits: editsOf(event.part) };
    case "rejected":
      return { id: event.id };
    case "renamed":
      return { path: event.path, newPath: event.newPath };
    case "replaced":
      return { path: event.path, text: event.text };
    case "closed":
    case "removed":
      return { path: event.path };
  }
}

/** Each replacement as `[start, end, text]`. */
function editsOf(edit: Edit | undefined): readonly (readonly [number, number, string])[] | undefined {
  return edit?.edits.map(({ start, end, text }) => [start, end, text] as const);
}
