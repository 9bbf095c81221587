import type { Switches } from "./settings.ts";

/**
 * The name of the switch that turns ghost text off for a file, such as `languages.markdown` or `enabled`; `undefined` where it is on.
 *
 * `path` is from the workspace's root, with `/`; `language` an id of the registry.
 */
export function trySwitchedOff(path: string, language: string, switches: Switches): string | undefined {
  const { enabled, languages, fileTypes, folders } = switches;
  if (!enabled) return "enabled";
  const folder = longest(folders, (name) => path.startsWith(`${name.replace(/\/+$/, "")}/`));
  if (folder !== undefined) return folders[folder] ? undefined : `folders.${folder}`;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const fileType = longest(fileTypes, (ending) => name.endsWith(ending.toLowerCase()));
  if (fileType !== undefined) return fileTypes[fileType] ? undefined : `fileTypes.${fileType}`;
  const named = Object.hasOwn(languages, language) ? language : "*";
  return languages[named] === false ? `languages.${named}` : undefined;
}

function longest(switches: Readonly<Record<string, boolean>>, fits: (name: string) => boolean): string | undefined {
  return Object.keys(switches)
    .filter(fits)
    .sort((one, other) => other.length - one.length)[0];
}
