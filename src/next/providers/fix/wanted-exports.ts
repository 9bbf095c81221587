import { ExportIndex, type ParseCache } from "../../../analysis/index.ts";
import type { WorkspaceTexts } from "../../engine/text-index.ts";

/** Where exports are searched. */
export interface ExportSearch {
  readonly files: Pick<WorkspaceTexts, "containing">;
  readonly states: Pick<ParseCache, "blocksOf">;
  /** Returns the text of a file that may export, or `undefined`. */
  textOf(path: string): string | undefined;
}

/**
 * Returns an index of the exports with these names. A name that more than 40 files contain is left
 * out. `wanting` are the paths of the files that need them. Other top-level folders often contain
 * copies or separate programs, so their exports are left out, unless one of `wanting` is a test or
 * the like or lies in no folder. Exports of files outside of any folder always count.
 */
export function wantedExports(
  names: ReadonlySet<string>,
  wanting: readonly string[],
  { files, states, textOf }: ExportSearch,
): ExportIndex {
  const folders = new Set(wanting.map(topFolder));
  // Files outside any folder belong to the same program as all folders.
  const isOurs = (path: string) =>
    wanting.some(isApart) || folders.has("") || topFolder(path) === "" || folders.has(topFolder(path));
  const paths = new Set<string>();
  for (const name of names) {
    const containing = files.containing([name]);
    if (containing.length <= maxContaining) for (const path of containing) if (isOurs(path)) paths.add(path);
  }
  let sample: string | undefined;
  for (const path of paths) sample ??= besideModule.exec(textOf(path) ?? "")?.[0];
  const exports = new ExportIndex({ sample });
  for (const path of paths) {
    const text = textOf(path);
    if (text === undefined || !/\bexport\b/.test(text)) continue;
    exports.update(
      path,
      states.blocksOf(path, text).filter(({ simpleName }) => names.has(simpleName)),
    );
  }
  return exports;
}

/** An import by relative path. */
const besideModule = /^import\b(?:(?!^import\b)[^"';])*\bfrom\s*["']\.[^"'\n]*["'];?/m;

/** The most files that may contain a name for its exports to be searched. */
const maxContaining = 40;

/**
 * Whether a file uses the program from outside, such as a test or an example, by the name of its
 * top-level folder: it imports from any folder.
 */
export function isApart(path: string): boolean {
  return /^(tests?|__tests__|specs?|e2e|bench(marks?)?|examples?|samples?|scripts)$/.test(topFolder(path));
}

function topFolder(path: string): string {
  const slash = path.indexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
