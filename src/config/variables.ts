import { configKeys } from "./config-keys.ts";
import type { Entry } from "./entries.ts";
import { tryNearestName } from "./nearest-name.ts";
import { readText, takesText } from "./read-text.ts";

/** The environment: names and values, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable of a key: `EMEND_COMPLETE_MAX_LINES` for `complete.maxLines`. */
export function variableOf(path: readonly string[]): string {
  const words = path.map((name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase());
  return ["EMEND", ...words].join("_");
}

/** The keys that a variable can set: all but those with names of a person's choice, and `trust`. */
export function variablePaths(): readonly (readonly string[])[] {
  return configKeys()
    .map(({ path }) => path)
    .filter((path) => !path.includes("…") && path[0] !== "trust" && takesText(path));
}

/** What the environment sets, and variables that look like ours and are not. Empty ones are not set. */
export function readVariables(environment: Environment): {
  readonly entries: readonly Entry[];
  readonly unknown: readonly { readonly name: string; readonly nearest: string | undefined }[];
} {
  // Mostly there are none, and the keys take a while to be told from the schema.
  if (!Object.keys(environment).some((name) => name.startsWith("EMEND_"))) return { entries: [], unknown: [] };
  const paths = new Map(variablePaths().map((path) => [variableOf(path), path]));
  const entries: Entry[] = [];
  const unknown: { name: string; nearest: string | undefined }[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.trim() === "") continue;
    const path = paths.get(name);
    if (path !== undefined) entries.push({ path, value: readText(value, path), origin: { kind: "variable", name } });
    // Other variables with our name in front belong to other parts: the cache's folder, debugging.
    else if (/^EMEND_(MODEL|COMPLETE|CONTEXT)/.test(name)) {
      unknown.push({ name, nearest: tryNearestName(name, paths.keys()) });
    }
  }
  return { entries, unknown };
}
