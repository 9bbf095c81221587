/** The environment: names and values, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable of a key: `EMEND_COMPLETE_MAX_LINES` for `complete.maxLines`. */
export function variableOf(path: readonly string[]): string {
  const words = path.map((name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase());
  return ["EMEND", ...words].join("_");
}

/**
 * The variables that set something, or look as if they should. Empty ones are not set, and others
 * with our name in front belong to other parts: the cache's folder, debugging.
 */
export function settingVariablesOf(environment: Environment): readonly (readonly [name: string, value: string])[] {
  return Object.entries(environment).filter(
    (variable): variable is [string, string] =>
      /^EMEND_(MODEL|COMPLETE|NEXT|CONTEXT|EDIT|TYPES)/.test(variable[0]) && (variable[1]?.trim() ?? "") !== "",
  );
}
