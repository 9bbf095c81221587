/** The environment: names and values, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable of a key: `EMEND_COMPLETE_MAX_LINES` for `complete.maxLines`. */
export function variableOf(path: readonly string[]): string {
  const words = path.map((name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase());
  return ["EMEND", ...words].join("_");
}

/**
 * The variables that set something, or look as if they should: names with `EMEND_` and a section of
 * the settings, and a value that is not blank. Other variables of Emend, such as those of the
 * cache's folder or for debugging, are left out.
 */
export function settingVariablesOf(environment: Environment): readonly (readonly [name: string, value: string])[] {
  return Object.entries(environment).filter(
    (variable): variable is [string, string] =>
      /^EMEND_(MODEL|COMPLETE|NEXT|CONTEXT|EDIT|TYPES)/.test(variable[0]) && (variable[1]?.trim() ?? "") !== "",
  );
}
