import { z } from "zod";
import { Edit } from "../../text/index.ts";
import { defaultNextEditSettings } from "../engine/settings.ts";
import { givenTwice, type RecordedAction, type RecordedEvent } from "./recording.ts";

/** An event, or its problem, in one sentence with the remedy. */
type EventReading = { readonly event: RecordedEvent } | { readonly problem: string };

/** The description of a schema is put behind "it has to be". */
const text = z.string().describe("a text");

const name = z.string().min(1).describe("a text that is not empty");

const path = z
  .string()
  .refine(isWorkspacePath)
  .describe("a path from the workspace's root with / between names, such as src/main.ts");

const count = z.int().min(0).describe("a whole number from 0");

const share = z.number().min(0).max(1).describe("a number from 0 to 1");

const yes = z.literal(true).describe("true");

const { origins } = defaultNextEditSettings;
const origin = z.enum(origins).describe(origins.map((one) => JSON.stringify(one)).join(" or "));

const range = z
  .tuple([count, count])
  .refine(([start, end]) => start <= end)
  .transform(([start, end]) => ({ start, end }))
  .describe("[start, end], two whole numbers, the lesser first");

const edits = z
  .array(z.tuple([count, count, z.string()]))
  .refine((parts) => parts.every(([start, end], at) => (parts[at - 1]?.[1] ?? 0) <= start && start <= end))
  .transform((parts) => Edit.of(parts.map(([start, end, inserted]) => ({ start, end, text: inserted }))))
  .describe('a list of [start, end, "text"] in the order of the text, none overlapping another');

/** The fields of each kind of event, in the order in which they are written. */
const fieldsOfKind = {
  opened: { path, language: name, isNew: yes.optional(), text: text.optional() },
  changed: { path, version: count, edits },
  cursor: { path, offset: count },
  shown: {
    ...{ id: name, path, origin, model: name.optional(), reason: text, likelihood: share.optional() },
    ...{ place: range, edits: edits.optional() },
  },
  accepted: { id: name, edits: edits.optional() },
  rejected: { id: name },
  renamed: { path, newPath: path },
  closed: { path },
  replaced: { path: path.optional(), text: text.optional() },
  removed: { path },
} satisfies Readonly<Record<RecordedAction["kind"], z.ZodRawShape>>;

const events = new Map(
  Object.entries<z.ZodRawShape>(fieldsOfKind).map(([kind, fields]) => [
    kind,
    z.strictObject({ atMs: count, kind: z.literal(kind), ...fields }),
  ]),
);

/**
 * Reads an event from a parsed JSON value. An unknown field is a problem: it would be lost
 * silently, and is most often a typing error.
 */
export function readEvent(value: unknown): EventReading {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { problem: "an event is an object in braces" };
  const object = value as Readonly<Record<string, unknown>>;
  const kind = object["kind"];
  const schema = events.get(kind as string);
  if (schema === undefined) {
    const found = kind === undefined ? "it has no `kind`" : `there is no kind ${JSON.stringify(kind)}`;
    return { problem: `${found}; there are ${[...events.keys()].join(", ")}` };
  }
  const twice = Object.keys(object).find((key) => key.endsWith(givenTwice));
  if (twice !== undefined) return { problem: `\`${twice.slice(0, -givenTwice.length)}\` is given twice; take one out` };
  const { data, error } = schema.safeParse(object);
  if (error !== undefined) return { problem: problemOf(error.issues, object, schema.shape) };
  const { edits: edit, ...others }: Readonly<Record<string, unknown>> = data;
  const property = kind === "accepted" ? "part" : "edit";
  return { event: (edit === undefined ? others : { ...others, [property]: edit }) as unknown as RecordedEvent };
}

/** The problem of an object that does not match `shape`. */
function problemOf(
  issues: readonly z.core.$ZodIssue[],
  object: Readonly<Record<string, unknown>>,
  shape: z.ZodRawShape,
): string {
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  if (unknown !== undefined) {
    const known = Object.keys(shape).join(", ");
    return `${JSON.stringify(unknown)} is no field of \`${object["kind"]}\`, which has ${known}; take it out, or spell it so`;
  }
  const field = String(issues[0]!.path[0]);
  const schema = shape[field];
  const isOptional = schema instanceof z.ZodOptional;
  const { description } = (isOptional ? schema.unwrap() : schema) as z.ZodType;
  const state = field in object ? `is ${valueText(object[field])}` : "is missing";
  return `\`${field}\` ${state}; it has to be ${description}${isOptional ? ", or left out" : ""}`;
}

/**
 * Returns the field names of each kind of event, without `atMs` and `kind`. Optional ones end with
 * a question mark.
 */
export function fieldsOfEvents(): ReadonlyMap<string, readonly string[]> {
  const named = (fields: z.ZodRawShape) =>
    Object.entries(fields).map(([field, schema]) => (schema instanceof z.ZodOptional ? `${field}?` : field));
  return new Map(Object.entries(fieldsOfKind).map(([kind, fields]) => [kind, named(fields)]));
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
