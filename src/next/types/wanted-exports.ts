import { ExportIndex } from "../../codebase/index.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import type { ScriptStates } from "./script-states.ts";

/** Where exports are looked for. */
export interface ExportSearch {
  readonly files: Pick<WorkspaceTexts, "saying">;
  readonly states: Pick<ScriptStates, "blocksOf">;
  /** The text of a file that exports may be taken from. */
  textOf(path: string): string | undefined;
}

/**
 * Who exports some names, as far as few enough files say them for all to be looked at. Only files of the top folders that want a name count, unless these are tests and the like: what
 * lies in others is often a copy, or no part of the same program.
 */
export function wantedExports(
  names: ReadonlySet<string>,
  wanting: readonly string[],
  { files, states, textOf }: ExportSearch,
): ExportIndex {
  const folders = new Set(wanting.map(topFolder));
  // What lies in no folder is of the same program as what does.
  const isOurs = (path: string) =>
    wanting.some(isApart) || folders.has("") || topFolder(path) === "" || folders.has(topFolder(path));
  const paths = new Set<string>();
  for (const name of names) {
    const saying = files.saying([name]);
    if (saying.length <= maxSaying) for (const path of saying) if (isOurs(path)) paths.add(path);
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

/** An import of a module by its place. */
const besideModule = /^import\b[^"';]*\bfrom\s*["']\.[^"'\n]*["'];?/m;

/** How many files may say a name for its only export to be looked for among them. */
const maxSaying = 40;

/** Whether a file is one that looks at the program from outside, such as a test: it takes what it wants from anywhere. */
export function isApart(path: string): boolean {
  return /^(tests?|__tests__|specs?|e2e|bench(marks?)?|examples?|samples?|scripts)$/.test(topFolder(path));
}

function topFolder(path: string): string {
  const slash = path.indexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
