import { folderOf, nameOf } from "../../codebase/index.ts";

/** Whether a module's name, as imports of languages other than scripts write it, may mean a file: its last step is the file's name or its folder's. */
export function namesModule(source: string, path: string): boolean {
  const last = source.split(/[^\p{L}\p{N}_]+/u).findLast((step) => step !== "");
  if (last === undefined || /^(self|super|crate)$/.test(last)) return true;
  const stem = nameOf(path).replace(/\..*$/, "");
  const folder = nameOf(folderOf(path));
  return last === stem || last === folder;
}
