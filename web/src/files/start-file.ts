import { languageOf } from "../../../src/languages/languages.ts";
import type { FileEntry } from "../page-services.ts";
import type { ListFolder } from "./file-tree-state.ts";

/** The most folders that are searched. */
const maxFolders = 40;

/** Folders whose files are not typical of a project. */
const isAtypicalFolder = /^(test|tests|docs?|examples?|scripts?|bench|benchmarks?|fixtures)$/i;

/**
 * The file to open at the first visit: the source file nearest to the root, or else the README, or
 * else any file. `undefined` for an empty workspace.
 */
export async function findStartFile(list: ListFolder): Promise<string | undefined> {
  const root = (await list("")).filter(({ isIgnored }) => !isIgnored);
  const isSource = ({ name, kind }: FileEntry) => kind === "file" && sources.has(languageOf(name).id);
  let folders = root;
  for (let searched = 0; searched < maxFolders && folders.length > 0; ) {
    const found = folders.find((entry) => isSource(entry) && !/config|\.test\.|\.d\./.test(entry.name));
    if (found) return found.path;
    const next = folders.filter(
      ({ name, kind }) => kind === "folder" && !name.startsWith(".") && !isAtypicalFolder.test(name),
    );
    const listed = next.slice(0, maxFolders - searched);
    searched += listed.length;
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
