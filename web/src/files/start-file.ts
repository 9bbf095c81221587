import { languageOf } from "../../../src/syntax/language.ts";
import type { FileEntry } from "../page-services.ts";
import type { ListFolder } from "./file-tree-state.ts";

/** So many folders are looked through for a file to begin with. */
const maxFolders = 40;

/** Folders whose files say little of what a project is. */
const saysLittle = /^(test|tests|docs?|examples?|scripts?|bench|benchmarks?|fixtures)$/i;

/**
 * The file that a newcomer sees first: what is nearest to the root and is source, or else the
 * README, or else any file. `undefined` for an empty workspace.
 */
export async function findStartFile(list: ListFolder): Promise<string | undefined> {
  const root = (await list("")).filter(({ isIgnored }) => !isIgnored);
  const isSource = ({ name, kind }: FileEntry) => kind === "file" && sources.has(languageOf(name).id);
  let folders = root;
  for (let looked = 0; looked < maxFolders && folders.length > 0; ) {
    const found = folders.find((entry) => isSource(entry) && !/config|\.test\.|\.d\./.test(entry.name));
    if (found) return found.path;
    const next = folders.filter(
      ({ name, kind }) => kind === "folder" && !name.startsWith(".") && !saysLittle.test(name),
    );
    const listed = next.slice(0, maxFolders - looked);
    looked += listed.length;
    const entries = await Promise.all(listed.map(({ path }) => list(path).catch(() => [])));
    folders = entries.flat().filter(({ isIgnored }) => !isIgnored);
  }
  const files = root.filter(({ kind }) => kind === "file");
  return (files.find(({ name }) => /^readme\b/i.test(name)) ?? files[0])?.path;
}

const sources = new Set([
  ...["typescript", "typescriptreact", "javascript", "javascriptreact", "python", "go", "rust", "java", "csharp"],
  ...["cpp", "c", "ruby", "php", "kotlin", "swift", "scala", "lua", "elixir", "dart", "shellscript"],
]);
