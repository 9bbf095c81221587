import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { deepPlaceInJson, Edit, Lines, maxJsonNesting, type TextEdit } from "../../text/index.ts";
import { defaultNextEditSettings } from "../engine/settings.ts";
import type { NextEditOrigin } from "../providers/next-edit-provider.ts";
import { RecordedTexts } from "./recorded-texts.ts";
import {
  type RecordedAction,
  type RecordedEvent,
  type Recording,
  recordingFormat,
  recordingVersion,
} from "./recording.ts";

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
export function readRecording(text: string): RecordingReading {
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
    const detail = printParseErrorCode(error.error)
      .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
      .toLowerCase();
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

  const events: RecordedEvent[] = [];
  const texts = new RecordedTexts();
  for (const [index, node] of (list.children ?? []).entries()) {
    const reading = readEvent(plain(node));
    const problem = "problem" in reading ? reading.problem : texts.tryTake(reading.event);
    if (problem !== undefined) return broken(node.offset, `${capital(problem)}.`, index + 1);
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

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** An event, or its problem, in one sentence with the remedy. */
type EventReading = { readonly event: RecordedEvent } | { readonly problem: string };

/**
 * Reads an event from a parsed JSON value. An unknown field is a problem: it would be lost
 * silently, and is most often a typing error.
 */
function readEvent(value: unknown): EventReading {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { problem: "an event is an object in braces" };
  const object = value as Readonly<Record<string, unknown>>;
  const kind = object["kind"];
  if (typeof kind !== "string" || !Object.hasOwn(fieldsOfKind, kind)) {
    const found = kind === undefined ? "it has no `kind`" : `there is no kind ${JSON.stringify(kind)}`;
    return { problem: `${found}; there are ${Object.keys(fieldsOfKind).join(", ")}` };
  }
  const fields: Readonly<Record<string, Field>> = { atMs: count, kind: text, ...fieldsOfKind[kind as Kind] };
  const twice = Object.keys(object).find((name) => name.endsWith(givenTwice));
  if (twice !== undefined) return { problem: `\`${twice.slice(0, -givenTwice.length)}\` is given twice; take one out` };
  const unknown = Object.keys(object).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    const known = Object.keys(fields).join(", ");
    return {
      problem: `${JSON.stringify(unknown)} is no field of \`${kind}\`, which has ${known}; take it out, or spell it so`,
    };
  }
  const read: Record<string, unknown> = {};
  for (const [name, { expects, isOptional, tryRead }] of Object.entries(fields)) {
    const given = object[name];
    if (given === undefined && isOptional === true) continue;
    const answer = given === undefined ? undefined : tryRead(given);
    if (answer === undefined) {
      const state = given === undefined ? "is missing" : `is ${valueText(given)}`;
      return { problem: `\`${name}\` ${state}; it has to be ${expects}${isOptional === true ? ", or left out" : ""}` };
    }
    read[propertyOf(kind as Kind, name)] = answer;
  }
  return { event: read as unknown as RecordedEvent };
}

/** The suffix of a key that occurs twice in one object. JSON allows that; recordings do not. */
const givenTwice = "\u0000twice";

type Kind = RecordedAction["kind"];

interface Field {
  /** The expected value, to be put behind "has to be". */
  readonly expects: string;
  readonly isOptional?: true;
  tryRead(value: unknown): unknown;
}

const text: Field = { expects: "a text", tryRead: (value) => (typeof value === "string" ? value : undefined) };

const name: Field = {
  expects: "a text that is not empty",
  tryRead: (value) => (typeof value === "string" && value !== "" ? value : undefined),
};

const path: Field = {
  expects: "a path from the workspace's root with / between names, such as src/main.ts",
  tryRead: (value) => (typeof value === "string" && isWorkspacePath(value) ? value : undefined),
};

const count: Field = {
  expects: "a whole number from 0",
  tryRead: (value) => (isOffset(value) ? value : undefined),
};

const share: Field = {
  expects: "a number from 0 to 1",
  tryRead: (value) => (typeof value === "number" && value >= 0 && value <= 1 ? value : undefined),
};

const yes: Field = { expects: "true", tryRead: (value) => (value === true ? true : undefined) };

const origins: readonly string[] = defaultNextEditSettings.origins;
const origin: Field = {
  expects: origins.map((one) => JSON.stringify(one)).join(" or "),
  tryRead: (value) => (origins.includes(value as NextEditOrigin) ? value : undefined),
};

const range: Field = {
  expects: "[start, end], two whole numbers, the lesser first",
  tryRead: (value) => (isRange(value, 2) ? { start: value[0], end: value[1] } : undefined),
};

const edits: Field = {
  expects: 'a list of [start, end, "text"] in the order of the text, none overlapping another',
  tryRead: (value) => {
    if (!Array.isArray(value)) return undefined;
    const parts: TextEdit[] = [];
    let last = 0;
    for (const part of value as unknown[]) {
      if (!isRange(part, 3) || typeof part[2] !== "string" || part[0] < last) return undefined;
      last = part[1];
      parts.push({ start: part[0], end: part[1], text: part[2] });
    }
    return Edit.of(parts);
  },
};

const optional = (field: Field): Field => ({ ...field, isOptional: true });

/** The fields of each kind of event, in the order in which they are written. */
const fieldsOfKind: Readonly<Record<Kind, Readonly<Record<string, Field>>>> = {
  opened: { path, language: name, isNew: optional(yes), text: optional(text) },
  changed: { path, version: count, edits },
  cursor: { path, offset: count },
  shown: {
    ...{ id: name, path, origin, model: optional(name), reason: text, likelihood: optional(share) },
    ...{ place: range, edits: optional(edits) },
  },
  accepted: { id: name, edits: optional(edits) },
  rejected: { id: name },
  renamed: { path, newPath: path },
  closed: { path },
  replaced: { path: optional(path), text: optional(text) },
  removed: { path },
};

/**
 * Returns the field names of each kind of event, without `atMs` and `kind`. Optional ones end with
 * a question mark.
 */
export function fieldsOfEvents(): ReadonlyMap<string, readonly string[]> {
  const named = (fields: Readonly<Record<string, Field>>) =>
    Object.entries(fields).map(([field, { isOptional }]) => (isOptional === true ? `${field}?` : field));
  return new Map(Object.entries(fieldsOfKind).map(([kind, fields]) => [kind, named(fields)]));
}

/** The property of a {@link RecordedEvent} for a field. */
function propertyOf(kind: Kind, field: string): string {
  if (field !== "edits") return field;
  return kind === "accepted" ? "part" : "edit";
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isRange(value: unknown, length: number): value is readonly [number, number, unknown] {
  return (
    Array.isArray(value) && value.length === length && isOffset(value[0]) && isOffset(value[1]) && value[0] <= value[1]
  );
}

function isWorkspacePath(value: string): boolean {
  return (
    !/^(?:\/|[A-Za-z]:)|\\/.test(value) &&
    value.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

function valueText(value: unknown): string {
  const found = JSON.stringify(value) ?? String(value);
  return found.length > 60 ? `${found.slice(0, 60)}…` : found;
}
