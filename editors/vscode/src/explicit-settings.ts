/** The values of one setting by scope, as returned by `inspect` of VS Code. */
export interface InspectedSetting {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/**
 * The settings that are set explicitly, in the server's form: `complete.maxLines` is
 * `{ complete: { maxLines } }`.
 *
 * Settings without an explicit value are omitted, so that the workspace's configuration files and
 * the engine's defaults apply. Settings of an untrusted workspace are ignored: it must not choose
 * where code is sent. Objects are merged by key, as the server does.
 */
export function explicitSettings(
  names: readonly string[],
  inspect: (name: string) => InspectedSetting | undefined,
  isTrusted: boolean,
): Readonly<Record<string, unknown>> {
  const settings: Record<string, unknown> = {};
  for (const name of names) {
    const { globalValue, workspaceValue, workspaceFolderValue } = inspect(name) ?? {};
    const values = (isTrusted ? [globalValue, workspaceValue, workspaceFolderValue] : [globalValue]).filter(
      (value) => value !== undefined,
    );
    if (values.length > 0) put(settings, name.split("."), values.reduce<unknown>(merged, undefined));
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
