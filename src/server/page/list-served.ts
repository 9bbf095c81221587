import type { Dirent } from "node:fs";
import {
  comparePaths,
  type FolderEntry,
  foldersAbove,
  IgnoreTree,
  joinPath,
  tryRelativePath,
  trySecretPath,
} from "../../codebase/index.ts";
import { disk as codeDisk, toPortablePath } from "../../codebase/node/index.ts";
import { type FileRefusal, fileRefusal, refusalOfError } from "../../edit/node/index.ts";
import type { PageFileEntry } from "../protocol/page-files.ts";
import { findServedPlace, type ServedPlace, type ServedRoot, tryVersionControl } from "./served-place.ts";

/** What stands in a folder, or why that is not told. */
export type ListAnswer =
  | { readonly kind: "list"; readonly place: ServedPlace; readonly entries: readonly PageFileEntry[] }
  | { readonly kind: "refused"; readonly refusal: FileRefusal };

/**
 * Lists a folder: folders first, each kind in the order of names. Of version control's own folders nothing is said.
 *
 * A link is what it leads to. One that leads out of the root is listed as a file that is ignored: what it leads to is not looked at,
 * and whoever opens it is told why not. So is what is neither file nor folder.
 */
export async function listServedFolder(served: ServedRoot, path: string): Promise<ListAnswer> {
  const { root, disk } = served;
  const answer = await findServedPlace(root, path, disk);
  if (answer.kind === "refused") return answer;
  const { place } = answer;
  if (place.holds !== "folder") {
    const refusal =
      place.holds === "nothing" ? fileRefusal("missing", path) : fileRefusal("no-folder", path, `${path} itself`);
    return { kind: "refused", refusal };
  }
  try {
    const found = (await disk.readdir(place.real, { withFileTypes: true })).map(toFolderEntry);
    // It may have been exchanged for a link meanwhile.
    if (toPortablePath(await disk.realpath(place.entry)) !== place.real) {
      return { kind: "refused", refusal: fileRefusal("outside", path) };
    }
    const shown = found.filter(({ name }) => tryVersionControl(name) === undefined);
    const rules = await IgnoreTree.open({ fileSystem: codeDisk, root, ignoreCase: false });
    for (const folder of foldersAbove(path)) await rules.load(folder, await tryEntries(joinPath(root, folder)));
    await rules.load(path, found);
    const entries = await Promise.all(shown.map((entry) => toEntry(served, joinPath(path, entry.name), entry, rules)));
    return { kind: "list", place, entries: entries.sort(byKindAndName) };
  } catch (error) {
    return { kind: "refused", refusal: refusalOfError(error, path) };
  }
}

async function toEntry(
  { root, disk }: ServedRoot,
  path: string,
  { name, kind }: FolderEntry,
  rules: IgnoreTree,
): Promise<PageFileEntry> {
  const isSecret = trySecretPath(joinPath(root, path)) !== undefined;
  const judged = (kind: PageFileEntry["kind"], real = path): PageFileEntry => {
    const isLeftOut = isSecret || trySecretPath(joinPath(root, real)) !== undefined;
    return { name, path, kind, isIgnored: isLeftOut || rules.decide(path, kind === "folder")?.excluded === true };
  };
  if (kind === "file" || kind === "folder") return judged(kind);
  const refused: PageFileEntry = { name, path, kind: "file", isIgnored: true };
  if (kind === "special") return refused;
  const answer = await findServedPlace(root, path, disk);
  if (answer.kind === "refused") return refused;
  const { holds, real } = answer.place;
  return holds === "file" || holds === "folder" ? judged(holds, tryRelativePath(root, real)) : refused;
}

function toFolderEntry(entry: Dirent): FolderEntry {
  const { name } = entry;
  if (entry.isFile()) return { name, kind: "file" };
  if (entry.isDirectory()) return { name, kind: "folder" };
  return { name, kind: entry.isSymbolicLink() ? "link" : "special" };
}

async function tryEntries(folder: string): Promise<readonly FolderEntry[]> {
  return codeDisk.readFolder(folder).catch(() => []);
}

function byKindAndName(one: PageFileEntry, other: PageFileEntry): number {
  if (one.kind !== other.kind) return one.kind === "folder" ? -1 : 1;
  return names.compare(one.name, other.name) || comparePaths(one.name, other.name);
}

/** As people sort: `a`, `B`, `c2`, `c10`. */
const names = new Intl.Collator("en", { numeric: true });
