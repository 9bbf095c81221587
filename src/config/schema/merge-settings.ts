import type { ConfigIssue } from "../config-issue.ts";
import type { Entry } from "../entries.ts";
import type { Environment } from "../environment.ts";
import type { FlagSetting } from "../flag-setting.ts";
import { type CheckedSettings, checkSettings } from "./check-settings.ts";
import { readText } from "./read-text.ts";
import { readVariables } from "./variables.ts";

/**
 * The settings that files, the environment and flags make over the defaults, the later of them over
 * the earlier.
 */
export function mergeSettings(
  fromFiles: readonly Entry[],
  told: { readonly root: string; readonly environment: Environment; readonly flags: readonly FlagSetting[] },
): CheckedSettings {
  const variables = readVariables(told.environment);
  const fromFlags = told.flags.map(({ flag, path, value }) => ({
    path,
    value: typeof value === "string" ? readText(value, path) : value,
    origin: { kind: "flag", name: flag } as const,
  }));
  const checked = checkSettings([...fromFiles, ...variables.entries, ...fromFlags], told.root);
  const unknown = variables.unknown.map(({ name, nearest }) => unknownVariable(name, nearest));
  return { ...checked, issues: [...unknown, ...checked.issues] };
}

function unknownVariable(name: string, nearest: string | undefined): ConfigIssue {
  const cure = nearest === undefined ? "Unset it." : `Did you mean ${nearest}?`;
  const message = `${name} sets nothing. ${cure}`;
  return { code: "unknown-key", severity: "error", origin: { kind: "variable", name }, message };
}
