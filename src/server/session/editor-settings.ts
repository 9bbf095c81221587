import { type FlagSetting, isPlainObject } from "../../config/index.ts";

/**
 * Converts the editor's own settings to flags, key by key: `{ complete: { maxLines: 3 } }` sets
 * `complete.maxLines`. Like flags, they override all files. Anything that is not an object gives no
 * flags.
 */
export function flagsOfEditor(settings: unknown): readonly FlagSetting[] {
  const flags: FlagSetting[] = [];
  const collect = (value: unknown, path: readonly string[]): void => {
    if (isPlainObject(value)) for (const [name, inner] of Object.entries(value)) collect(inner, [...path, name]);
    // Editors send settings without a value as null.
    else if (path.length > 0 && value != null)
      flags.push({ flag: `emend.${path.join(".")} of the editor`, path, value });
  };
  collect(settings, []);
  return flags;
}
