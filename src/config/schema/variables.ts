import type { Entry } from "../entries.ts";
import { type Environment, settingVariablesOf, variableOf } from "../environment.ts";
import { configKeys } from "./config-keys.ts";
import { tryNearestName } from "./nearest-name.ts";
import { readText, takesText } from "./read-text.ts";

/** The keys that a variable can set: all but those with names of a person's choice, and `trust`. */
export function variablePaths(): readonly (readonly string[])[] {
  return configKeys()
    .map(({ path }) => path)
    .filter((path) => !path.includes("…") && path[0] !== "trust" && takesText(path));
}

/** What the environment sets, and variables that look like ours and are not. */
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
