import type { z } from "zod";
import { invariant } from "../../text/index.ts";
import { defaultConfig } from "../default-config.ts";
import {
  type ConfigIssue,
  type Entry,
  isPlainObject,
  mergeEntries,
  printKey,
  printOrigin,
  tryEntriesOf,
} from "../entries.ts";
import { configKeys, printAllowed, tryAllowedAt } from "./config-keys.ts";
import { tryNearestName } from "./nearest-name.ts";
import { type Config, settingsSchema } from "./settings.ts";

/** Settings, complete and checked. */
export interface CheckedSettings {
  readonly config: Config;
  /** The entries that hold. */
  readonly kept: readonly Entry[];
  readonly issues: readonly ConfigIssue[];
}

/**
 * Merges entries over the default settings, later ones over earlier ones, and checks the result.
 *
 * Invalid entries are left out and reported as issues, so that the settings are always complete;
 * the valid ones are `kept`, in their order. `root` is the absolute folder that paths in messages
 * are relative to.
 */
export function checkSettings(entries: readonly Entry[], root: string): CheckedSettings {
  const issues: ConfigIssue[] = [];
  const misfits = new Set<string>();
  let kept = entries.filter((entry) => {
    const misfit = tryMisfit(entry);
    if (misfit === undefined) return true;
    const issue = explain(misfit, undefined, entry, root);
    // An unknown section gives one issue, whatever is in it.
    if (!misfits.has(issue.message)) issues.push(issue);
    misfits.add(issue.message);
    return false;
  });
  const defaults = tryEntriesOf(defaultConfig, { kind: "default" })!;
  const reported: (readonly string[])[] = [];
  for (;;) {
    const result = settingsSchema.safeParse(mergeEntries([...defaults, ...kept]));
    if (result.success) return { config: result.data, kept, issues };
    const wrong = result.error.issues.flatMap(placesOf);
    for (const { path, message } of wrong) {
      // A value that was left out may be missing now; its own issue was added when it was left out.
      if (!reported.some((other) => overlap(other, path))) {
        issues.push(explain(path, message, tryBlamed(kept, path), root));
      }
    }
    reported.push(...wrong.map(({ path }) => path));
    const blamed = new Set(wrong.flatMap(({ path }) => blamedAt(kept, path)));
    invariant(blamed.size > 0, () => `The defaults should hold: ${result.error.message}`);
    kept = kept.filter((entry) => !blamed.has(entry));
  }
}

/**
 * The place where a key is unknown, or where a section is no object; `undefined` where there is
 * none. The schema checks the values.
 */
function tryMisfit({ path, value }: Entry): readonly string[] | undefined {
  const unknown = path.findIndex((_, index) => tryAllowedAt(path.slice(0, index + 1)) === undefined);
  if (unknown >= 0) return path.slice(0, unknown + 1);
  const { properties, additionalProperties } = tryAllowedAt(path)!;
  const isSection = properties !== undefined || additionalProperties !== undefined;
  return isSection && !isPlainObject(value) ? path : undefined;
}

/**
 * The entries at, above or below the place; where there are none, for something is missing, those
 * beside it.
 */
function blamedAt(entries: readonly Entry[], path: readonly string[]): readonly Entry[] {
  const found = entries.filter((entry) => overlap(entry.path, path));
  return found.length > 0 || path.length === 0 ? found : blamedAt(entries, path.slice(0, -1));
}

function tryBlamed(entries: readonly Entry[], path: readonly string[]): Entry | undefined {
  return blamedAt(entries, path).at(-1);
}

/**
 * One invalid value; `ruleMessage` is the message of a rule, absent where the type of the value is
 * wrong.
 */
interface WrongPlace {
  readonly path: readonly string[];
  readonly message?: string;
}

/** The paths that an issue of the schema is about. */
function placesOf(issue: z.core.$ZodIssue): readonly WrongPlace[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") return issue.keys.map((name) => ({ path: [...path, name] }));
  if (issue.code === "custom") return [{ path, message: issue.message }];
  if (issue.code !== "invalid_union") return [{ path }];
  // Of the choices the one counts whose kind fits the value: its complaints are about what is
  // inside.
  const fitting = issue.errors.find((choice) =>
    choice.every(({ code, path: inner }) => inner.length > 0 || code === "custom"),
  );
  if (fitting === undefined || fitting.length === 0) return [{ path }];
  return fitting.flatMap((inner) => placesOf({ ...inner, path: [...issue.path, ...inner.path] }));
}

function explain(
  path: readonly string[],
  ruleMessage: string | undefined,
  entry: Entry | undefined,
  root: string,
): ConfigIssue {
  const origin = entry?.origin ?? { kind: "default" as const };
  const key = printKey(path);
  const place = `\`${key}\` (${printOrigin(origin, root)})`;
  const base = { severity: "error", key, origin } as const;
  if (ruleMessage !== undefined) return { ...base, code: "wrong-value", message: `${place}: ${ruleMessage}` };
  const allowed = tryAllowedAt(path);
  if (allowed === undefined)
    return {
      ...base,
      code: "unknown-key",
      message: `${place} ${renamedTo(path) ?? `is no setting. ${cureFor(path)}`}`,
    };
  const value = entry === undefined ? undefined : valueAt(entry, path);
  const is = value === undefined ? "is missing" : `is ${printValue(value)}`;
  return { ...base, code: "wrong-value", message: `${place} ${is}; it may be ${printAllowed(allowed)}.` };
}

/** Settings that had another name, and the name of each. */
const renamedSettings: ReadonlyMap<string, string> = new Map([
  ["edit.check", "edit.verify"],
  ["next.context.areaLines", "next.context.contextLines"],
  ["next.context.pageLines", "next.context.excerptLines"],
  ["next.context.pageTokens", "next.context.excerptTokens"],
  ["next.context.windowTokens", "next.context.regionTokens"],
]);

function renamedTo(path: readonly string[]): string | undefined {
  const name = renamedSettings.get(printKey(path));
  return name && `is now \`${name}\`.`;
}

/** What a person may have meant by an unknown key. */
function cureFor(path: readonly string[]): string {
  const above = path.slice(0, -1);
  const name = path.at(-1)!;
  const siblings = Object.keys(tryAllowedAt(above)?.properties ?? {}).filter((sibling) => sibling !== "$schema");
  const near = tryNearestName(name, siblings);
  if (near !== undefined) return `Did you mean \`${printKey([...above, near])}\`?`;
  const elsewhere = configKeys().find((known) => tryNearestName(name, [known.path.at(-1)!]) !== undefined);
  if (elsewhere !== undefined) return `Did you mean \`${elsewhere.key}\`?`;
  return siblings.length === 0 ? "Take it out." : `There are ${siblings.join(", ")}.`;
}

/**
 * The value at `path`, of which the entry holds a part or the whole; `undefined` when it lies
 * elsewhere.
 */
function valueAt(entry: Entry, path: readonly string[]): unknown {
  if (!overlap(entry.path, path)) return undefined;
  if (entry.path.length > path.length) return {};
  let { value } = entry;
  for (const name of path.slice(entry.path.length)) {
    value = isPlainObject(value) || Array.isArray(value) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value;
}

function printValue(value: unknown): string {
  if (isPlainObject(value)) return "an object";
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return "an object of a class";
  const text = typeof value === "bigint" ? `${value}n` : (tryJson(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** `undefined` for what JSON cannot express, such as a list that contains itself. */
function tryJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? "a list" : undefined;
  }
}

/** Whether one of two places is the other or holds it. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  const shared = Math.min(one.length, other.length);
  return one.slice(0, shared).every((name, index) => name === other[index]);
}
