import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { capitalized, deepPlaceInJson, Lines, maxJsonNesting, nameWords } from "../../text/index.ts";
import { RecordedTexts } from "./recorded-texts.ts";
import { givenTwice, type RecordedEvent, type Recording, recordingFormat, recordingVersion } from "./recording.ts";

/** A recording, or the first problem of its text; what follows a problem is not checked. */
export type RecordingReading =
  | { readonly kind: "read"; readonly recording: Recording }
  | { readonly kind: "broken"; readonly issue: RecordingIssue };

/** A problem in the text of a recording. */
export interface RecordingIssue {
  /** The line in the text, from 1. */
  readonly line: number;
  /** The number of the event in the list, from 1, where the problem concerns one. */
  readonly event?: number;
  /** The problem and its remedy, in one sentence. */
  readonly message: string;
}

/**
 * Reads the text of an `*.edits.json`. Every event must be possible where it is: offsets are within
 * the text at that time, files are known, times and versions increase. Never throws: the first
 * problem is returned as `broken`, with its line and event counted from 1.
 *
 * Law: the text that `writeRecording` returns is read as the same recording.
 */
export async function readRecording(text: string): Promise<RecordingReading> {
  const lines = Lines.of(text);
  const lineAt = (offset: number): number => lines.lineAt(Math.min(offset, text.length)) + 1;
  const broken = (offset: number, message: string, event?: number): RecordingReading => ({
    kind: "broken",
    issue: { line: lineAt(offset), ...(event !== undefined && { event }), message },
  });

  const deep = deepPlaceInJson(text);
  if (deep !== undefined) return broken(deep, `It is no recording: brackets nest over ${maxJsonNesting} deep here.`);
  const errors: ParseError[] = [];
  const top = parseTree(text, errors, { disallowComments: true });
  const error = errors[0];
  if (error !== undefined) {
    const detail = nameWords(printParseErrorCode(error.error)).join(" ");
    return broken(error.offset, `It is no JSON: ${detail}. If it was cut off, give the whole file.`);
  }
  if (top?.type !== "object") return broken(0, notOne);
  const members = new Map<string, Node>();
  for (const member of top.children ?? []) members.set(String(member.children![0]!.value), member.children![1]!);
  const format = members.get("format");
  if (format?.value !== recordingFormat) return broken(format?.offset ?? top.offset, notOne);
  const version = members.get("version");
  if (version?.value !== recordingVersion) {
    const found = version === undefined ? "It has no `version`" : `Its version is ${nodeText(version)}`;
    const cure =
      typeof version?.value === "number" && version.value > recordingVersion
        ? "update Emend to read it"
        : "record it again";
    return broken(
      version?.offset ?? top.offset,
      `${found}, and this Emend reads version ${recordingVersion}: ${cure}.`,
    );
  }
  const unknown = [...members].find(([name]) => !["format", "version", "events"].includes(name));
  if (unknown !== undefined) {
    return broken(
      unknown[1].offset,
      `A recording has no ${JSON.stringify(unknown[0])}, only format, version and events. Take it out.`,
    );
  }
  const list = members.get("events");
  if (list?.type !== "array") {
    const problem = list === undefined ? "It has no `events`" : "`events` is no list";
    return broken(list?.offset ?? top.offset, `${problem}: give a list of events in brackets.`);
  }

  // The schema takes about 50 ms to load, which commands without a recording do not need.
  const { readEvent } = await import("./event-schema.ts");
  const events: RecordedEvent[] = [];
  const texts = new RecordedTexts();
  for (const [index, node] of (list.children ?? []).entries()) {
    const reading = readEvent(plain(node));
    const problem = "problem" in reading ? reading.problem : texts.tryTake(reading.event);
    if (problem !== undefined) return broken(node.offset, `${capitalized(problem)}.`, index + 1);
    if ("event" in reading) events.push(reading.event);
  }
  return { kind: "read", recording: { events } };
}

/** Prints an issue as one line, for a file that the user knows as `name`. */
export function printRecordingIssue(name: string, { line, event, message }: RecordingIssue): string {
  return `${name}:${line}${event === undefined ? "" : ` (event ${event})`}: ${message}`;
}

const notOne = `It is no recording of edits: that begins with { "format": "${recordingFormat}", "version": ${recordingVersion}, "events": [. Give a file that \`emend record\` wrote.`;

/**
 * The value of a node. A key that occurs twice gets a suffix, see {@link givenTwice}: JavaScript
 * would use the later value.
 */
function plain(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(plain);
  if (node.type !== "object") return node.value as unknown;
  const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const { children } of node.children ?? []) {
    const name = String(children![0]!.value);
    value[name in value ? name + givenTwice : name] = plain(children![1]!);
  }
  return value;
}

function nodeText(node: Node): string {
  return JSON.stringify(plain(node));
}
