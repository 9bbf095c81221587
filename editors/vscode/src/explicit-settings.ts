/** What the editor knows of one setting, as its `inspect` tells. */
export interface InspectedSetting {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/**
 * The settings that somebody has set, as the server takes them: `complete.maxLines` is
 * `{ complete: { maxLines } }`.
 *
 * What nobody has set is left out, so that the workspace's own files and the engine's defaults
 * hold. Of a workspace that is not trusted nothing is taken: it may not say who is sent any code.
 * Objects are merged name by name, as the server does itself.
 */
export function explicitSettings(
  names: readonly string[],
  inspect: (name: string) => InspectedSetting | undefined,
  isTrusted: boolean,
): Readonly<Record<string, unknown>> {
  const settings: Record<string, unknown> = {};
  for (const name of names) {
    const { globalValue, workspaceValue, workspaceFolderValue } = inspect(name) ?? {};
    const said = (isTrusted ? [globalValue, workspaceValue, workspaceFolderValue] : [globalValue]).filter(
      (value) => value !== undefined,
    );
    if (said.length > 0) put(settings, name.split("."), said.reduce<unknown>(merged, undefined));
  }
  return settings;
}

function merged(lower: unknown, upper: unknown): unknown {
  return isObject(lower) && isObject(upper) ? { ...lower, ...upper } : upper;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function put(settings: Record<string, unknown>, [first, ...rest]: readonly string[], value: unknown): void {
  if (first === undefined) return;
  if (rest.length === 0) settings[first] = value;
  else {
    settings[first] ??= {};
    put(settings[first] as Record<string, unknown>, rest, value);
  }
}
