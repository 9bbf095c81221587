import type { Edit } from "../../text/index.ts";
import { type RecordedEvent, type Recording, recordingFormat, recordingVersion } from "./recording.ts";

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
