import type { Dirent } from "node:fs";
import { type FileRefusal, fileRefusal, refusalOfError } from "../../edit/node/index.ts";
import {
  comparePaths,
  type FolderEntry,
  folderOf,
  IgnoreTree,
  joinPath,
  tryRelativePath,
  trySecretPath,
} from "../../workspace/index.ts";
import { disk as codeDisk, toPortablePath } from "../../workspace/node/index.ts";
import type { PageFileEntry } from "../protocol/page-files.ts";
import { resolveServedPath, type ServedPath, type ServedRoot, tryVersionControl } from "./resolve-served-path.ts";

/** The entries of a folder, or why they are not listed. */
export type ListAnswer =
  | { readonly kind: "list"; readonly place: ServedPath; readonly entries: readonly PageFileEntry[] }
  | { readonly kind: "refused"; readonly refusal: FileRefusal };

/**
 * Lists a folder: folders first, each kind sorted by name. Folders of version control are left out.
 * A path that is missing or is no folder, and a failure of the disk, give/ the answer `refused`,
 * not a rejection.
 *
 * A link is listed as the kind of its target. One that leads out of the root is listed as an
 * ignored file: its target is not read, and opening it gives the reason. The same holds for special
 * files.
 */
export async function listServedFolder(served: ServedRoot, path: string): Promise<ListAnswer> {
  const { root, disk } = served;
  const answer = await resolveServedPath(root, path, disk);
  if (answer.kind === "refused") return answer;
  const { place } = answer;
  if (place.holds !== "folder") {
    const refusal =
      place.holds === "nothing" ? fileRefusal("missing", path) : fileRefusal("no-folder", path, `${path} itself`);
    return { kind: "refused", refusal };
  }
  try {
    const found = (await disk.readdir(place.real, { withFileTypes: true })).map(toFolderEntry);
    // The folder may have been replaced by a link meanwhile.
    if (toPortablePath(await disk.realpath(place.entry)) !== place.real) {
      return { kind: "refused", refusal: fileRefusal("outside", path) };
    }
    const shown = found.filter(({ name }) => tryVersionControl(name) === undefined);
    const rules = await IgnoreTree.open({ fileSystem: codeDisk, root, ignoreCase: false });
    await rules.loadTo(path);
    const folder = tryRelativePath(root, place.real)!;
    await rules.loadTo(folder);
    const entries = await Promise.all(
      shown.map((entry) => toEntry(served, { path: joinPath(path, entry.name), folder, entry, rules })),
    );
    return { kind: "list", place, entries: entries.sort(byKindAndName) };
  } catch (error) {
    return { kind: "refused", refusal: refusalOfError(error, path) };
  }
}

interface ListedEntry {
  /** The requested path. */
  readonly path: string;
  /** The path of its folder from the root, links resolved. */
  readonly folder: string;
  readonly entry: FolderEntry;
  readonly rules: IgnoreTree;
}

async function toEntry(
  { root, disk }: ServedRoot,
  { path, folder, entry: { name, kind }, rules }: ListedEntry,
): Promise<PageFileEntry> {
  const isSecret = trySecretPath(joinPath(root, path)) !== undefined;
  const judged = (kind: PageFileEntry["kind"], real: string): PageFileEntry => {
    const isLeftOut = isSecret || trySecretPath(joinPath(root, real)) !== undefined;
    const isExcluded = (one: string) => rules.decide(one, kind === "folder")?.excluded === true;
    return { name, path, kind, isIgnored: isLeftOut || isExcluded(path) || isExcluded(real) };
  };
  if (kind === "file" || kind === "folder") return judged(kind, joinPath(folder, name));
  const refused: PageFileEntry = { name, path, kind: "file", isIgnored: true };
  if (kind === "special") return refused;
  const answer = await resolveServedPath(root, path, disk);
  if (answer.kind === "refused") return refused;
  const { holds, real } = answer.place;
  if (holds !== "file" && holds !== "folder") return refused;
  const inside = tryRelativePath(root, real)!;
  await rules.loadTo(folderOf(inside));
  return judged(holds, inside);
}

function toFolderEntry(entry: Dirent): FolderEntry {
  const { name } = entry;
  if (entry.isFile()) return { name, kind: "file" };
  if (entry.isDirectory()) return { name, kind: "folder" };
  return { name, kind: entry.isSymbolicLink() ? "link" : "special" };
}

function byKindAndName(one: PageFileEntry, other: PageFileEntry): number {
  if (one.kind !== other.kind) return one.kind === "folder" ? -1 : 1;
  return names.compare(one.name, other.name) || comparePaths(one.name, other.name);
}

/** In natural order: `a`, `B`, `c2`, `c10`. */
const names = new Intl.Collator("en", { numeric: true });
