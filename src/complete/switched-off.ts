import { getOrInsert } from "../text/index.ts";
import { isGlob, nameOf, type PathGlob, tryParsePathGlob } from "../workspace/index.ts";
import type { Switches } from "./settings.ts";

/**
 * The name of the switch that turns ghost text off for a file, such as `languages.markdown` or
 * `enabled`; `undefined` where it is on. A folder counts more than a file type, and that more than
 * a language; what no switch names is on.
 *
 * `path` is from the workspace's root, with `/`; `language` an id of the registry.
 */
export function trySwitchedOff(path: string, language: string, switches: Switches): string | undefined {
  const { enabled, languages, fileTypes, folders } = switches;
  if (!enabled) return "enabled";
  const folder = tryFolder(folders, path);
  if (folder !== undefined) return folders[folder] ? undefined : `folders.${folder}`;
  const fileType = tryFileType(fileTypes, path);
  // An ending has its own dot.
  if (fileType !== undefined) return fileTypes[fileType] ? undefined : `fileTypes.${fileType.replace(/^\./, "")}`;
  const named = Object.hasOwn(languages, language) ? language : "*";
  return languages[named] === false ? `languages.${named}` : undefined;
}

type Patterns = Readonly<Record<string, boolean>>;

/**
 * How exactly a key of settings matches a path: higher is more exact; `undefined` if it does not
 * match.
 */
interface Pattern {
  readonly key: string;
  fits(path: string): number | undefined;
}

/** The folder that counts for a file: the deepest, and of these the one written longest. */
function tryFolder(folders: Patterns, path: string): string | undefined {
  return tryBest(patternsOf(folders, folderPattern), path);
}

/** The file type that counts for a file: the one written longest. */
function tryFileType(fileTypes: Patterns, path: string): string | undefined {
  return tryBest(patternsOf(fileTypes, fileTypePattern), path);
}

function tryBest(patterns: readonly Pattern[], path: string): string | undefined {
  let best: { readonly key: string; readonly fit: number } | undefined;
  for (const { key, fits } of patterns) {
    const fit = fits(path);
    if (fit === undefined) continue;
    const isBetter = best === undefined || fit > best.fit || (fit === best.fit && key.length > best.key.length);
    if (isBetter) best = { key, fit };
  }
  return best?.key;
}

/**
 * How deep the folder is that `key` names and a file lies in; all that is below a folder belongs to
 * it.
 */
function folderPattern(key: string): Pattern {
  const name = key
    .replace(/^(?:\.\/)+/, "")
    .replace(/(?<!\/)\/+$/, "")
    .replace(/(?:^|\/)\*\*(?:\/\*)?$/, "");
  const glob = isGlob(name) ? tryParsePathGlob(name, { ignoreCase: false }) : undefined;
  const depth = name === "" ? 0 : name.split("/").length;
  return {
    key,
    fits(path) {
      // A folder may be called by what is a glob as well, such as `app/[id]`.
      if (name === "" ? key.includes("*") : path.startsWith(`${name}/`)) return depth;
      return glob === undefined ? undefined : deepestMatch(glob, path);
    },
  };
}

/** How deep the deepest of a file and the folders around it lies that matches. */
function deepestMatch(glob: PathGlob, path: string): number | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const around = path.slice(0, end);
    if (glob.matches(around)) return around.split("/").length;
  }
  return undefined;
}

/**
 * How long the ending is that `key` names and a file's name has; letters of either case are the
 * same.
 */
function fileTypePattern(key: string): Pattern {
  const written = key.replace(/^(?:\.\/)+/, "").toLowerCase();
  const length = written.replace(/^(?:\*\*\/)*\*?/, "").length;
  if (!isGlob(written) && !written.includes("/")) {
    return { key, fits: (path) => (nameOf(path).toLowerCase().endsWith(written) ? length : undefined) };
  }
  const pattern = written.includes("/") ? written : `**/${written}`;
  const glob = tryParsePathGlob(pattern, { ignoreCase: true });
  return { key, fits: (path) => (glob?.matches(path.toLowerCase()) === true ? length : undefined) };
}

/** The patterns of settings, read once for each object of settings. */
function patternsOf(switches: Patterns, read: (key: string) => Pattern): readonly Pattern[] {
  return getOrInsert(readPatterns, switches, () => Object.keys(switches).map(read));
}

const readPatterns = new WeakMap<Patterns, readonly Pattern[]>();
