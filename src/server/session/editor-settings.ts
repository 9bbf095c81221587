import { type FlagSetting, isPlainObject } from "../../config/index.ts";

/**
 * What an editor's own settings say, key by key: `{ complete: { maxLines: 3 } }` sets `complete.maxLines`. They count
 * more than any file, as flags do. Whatever is no object of settings says nothing.
 */
export function flagsOfEditor(settings: unknown): readonly FlagSetting[] {
  const flags: FlagSetting[] = [];
  const collect = (value: unknown, path: readonly string[]): void => {
    if (isPlainObject(value)) for (const [name, inner] of Object.entries(value)) collect(inner, [...path, name]);
    // An editor writes what nobody has set as null.
    else if (path.length > 0 && value != null)
      flags.push({ flag: `emend.${path.join(".")} of the editor`, path, value });
  };
  collect(settings, []);
  return flags;
}
