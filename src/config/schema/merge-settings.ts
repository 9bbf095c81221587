import type { ConfigIssue, Entry } from "../entries.ts";
import { type Environment, settingVariablesOf, variableOf } from "../environment.ts";
import { type CheckedSettings, checkSettings } from "./check-settings.ts";
import { configKeys, type JsonSchema, tryAllowedAt } from "./config-keys.ts";
import { tryNearestName } from "./nearest-name.ts";

/** What a flag of the command line sets. */
export interface FlagSetting {
  /** As the user wrote it, such as `--max-lines`. */
  readonly flag: string;
  /** The names of the key from the top down. */
  readonly path: readonly string[];
  /** A text is read as the key wants it. */
  readonly value: unknown;
}

/**
 * Merges what files, the environment and flags set over the defaults, the later of them over the
 * earlier, and checks the result, see {@link checkSettings}. Unknown variables are issues too.
 * `root` is the absolute folder that paths in messages are relative to.
 */
export function mergeSettings(
  fromFiles: readonly Entry[],
  options: { readonly root: string; readonly environment: Environment; readonly flags: readonly FlagSetting[] },
): CheckedSettings {
  const variables = readVariables(options.environment);
  const fromFlags = options.flags.map(({ flag, path, value }) => ({
    path,
    value: typeof value === "string" ? readText(value, path) : value,
    origin: { kind: "flag", name: flag } as const,
  }));
  const checked = checkSettings([...fromFiles, ...variables.entries, ...fromFlags], options.root);
  const unknown = variables.unknown.map(({ name, nearest }) => unknownVariable(name, nearest));
  return { ...checked, issues: [...unknown, ...checked.issues] };
}

function unknownVariable(name: string, nearest: string | undefined): ConfigIssue {
  const cure = nearest === undefined ? "Unset it." : `Did you mean ${nearest}?`;
  const message = `${name} sets nothing. ${cure}`;
  return { code: "unknown-key", severity: "error", origin: { kind: "variable", name }, message };
}

/**
 * The paths of the keys that a variable can set: all but `trust` and those below names of a
 * person's choice.
 */
export function variablePaths(): readonly (readonly string[])[] {
  return configKeys()
    .map(({ path }) => path)
    .filter((path) => !path.includes("…") && path[0] !== "trust" && takesText(path));
}

/**
 * The settings that environment variables make, and the variables that look like settings and are
 * none, each with the nearest name of a setting's variable.
 */
export function readVariables(environment: Environment): {
  readonly entries: readonly Entry[];
  readonly unknown: readonly { readonly name: string; readonly nearest: string | undefined }[];
} {
  const paths = new Map(variablePaths().map((path) => [variableOf(path), path]));
  const entries: Entry[] = [];
  const unknown: { name: string; nearest: string | undefined }[] = [];
  for (const [name, value] of settingVariablesOf(environment)) {
    const path = paths.get(name);
    if (path === undefined) unknown.push({ name, nearest: tryNearestName(name, paths.keys()) });
    else entries.push({ path, value: readText(value, path), origin: { kind: "variable", name } });
  }
  return { entries, unknown };
}

/**
 * Converts a setting that was written as text, in a variable or behind a flag, to the type that its
 * key wants.
 *
 * `true`, `on`, `yes` and `1` are true, and their opposites false; case is ignored. A text with a
 * comma is a list where the key takes one. What cannot be converted stays text, without blanks
 * around it, and fails the check.
 */
export function readText(text: string, path: readonly string[]): unknown {
  const trimmed = text.trim();
  for (const node of choicesOf(tryAllowedAt(path))) {
    if (node.type === "boolean") {
      if (/^(true|on|yes|1)$/i.test(trimmed)) return true;
      if (/^(false|off|no|0)$/i.test(trimmed)) return false;
    }
    if ((node.type === "integer" || node.type === "number") && trimmed !== "" && Number.isFinite(Number(trimmed))) {
      return Number(trimmed);
    }
    if (node.type === "array" && trimmed.includes(",")) {
      return trimmed
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "");
    }
  }
  return trimmed;
}

/** Whether a key can be written as text. */
function takesText(path: readonly string[]): boolean {
  return choicesOf(tryAllowedAt(path)).some(
    ({ type, enum: choices }) => choices !== undefined || (type !== undefined && type !== "object"),
  );
}

function choicesOf(node: JsonSchema | undefined): readonly JsonSchema[] {
  return node === undefined ? [] : (node.anyOf ?? [node]);
}
