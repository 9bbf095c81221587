import { Edit, type TextEdit } from "../../text/index.ts";
import { defaultNextEditSettings } from "../engine/settings.ts";
import type { NextEditOrigin } from "../providers/next-edit-provider.ts";
import type { RecordedAction, RecordedEvent } from "./recording.ts";

/** An event, or what is wrong with it, as a sentence that says what to do. */
export type EventReading = { readonly event: RecordedEvent } | { readonly problem: string };

/**
 * Reads an event from a parsed JSON value. An unknown field is a problem: it would be lost
 * silently, and is most often a typing error.
 */
export function readEvent(value: unknown): EventReading {
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
      const state = given === undefined ? "is missing" : `is ${printed(given)}`;
      return { problem: `\`${name}\` ${state}; it has to be ${expects}${isOptional === true ? ", or left out" : ""}` };
    }
    read[propertyOf(kind as Kind, name)] = answer;
  }
  return { event: read as unknown as RecordedEvent };
}

/** The suffix of a key that occurs twice in one object. JSON allows that; recordings do not. */
export const givenTwice = "\u0000twice";

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

function printed(value: unknown): string {
  const found = JSON.stringify(value) ?? String(value);
  return found.length > 60 ? `${found.slice(0, 60)}…` : found;
}
