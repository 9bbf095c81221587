import type { ConfigIssue } from "../config-issue.ts";
import type { Entry } from "../entries.ts";
import type { Environment } from "../environment.ts";
import { type CheckedSettings, checkSettings } from "./check-settings.ts";
import { readText, readVariables } from "./variables.ts";

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
