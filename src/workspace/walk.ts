import {
  type FolderListing,
  type OpenEntry,
  type SkippedPath,
  Survey,
  type SurveyOptions,
  type WorkspaceFile,
} from "./survey.ts";
import { comparePaths, folderOf, foldersAbove, joinPath, nameOf } from "./workspace-path.ts";

/** The options of {@link walkWorkspace}. */
export interface WalkOptions extends SurveyOptions {
  /** A path in the workspace; files near it come first. */
  readonly focus?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file, or a file or folder that is skipped. */
export type WalkItem = WorkspaceFile | SkippedPath;

/**
 * Yields the files of the workspace in the absolute folder `root`, without reading them, and the
 * files and folders that are skipped, with their reasons.
 *
 * They come in the order of their paths by code unit. With a `focus`, the files of its folder come
 * first, then those of other folders by distance, which counts steps up and down; folders at the
 * same distance come in the order of their paths. Files that are reached through links only come
 * last. No file comes twice. Rejects with a `FileSystemError` when the root cannot be listed, and
 * with the signal's reason on abort.
 */
export async function* walkWorkspace(root: string, options: WalkOptions): AsyncGenerator<WalkItem, void, undefined> {
  for await (const items of walkInBatches(root, options)) yield* items;
}

/**
 * {@link walkWorkspace} with the items of a folder at a time where there is a `focus`: a generator
 * takes longer to yield a file than the disk to find it.
 */
export async function* walkInBatches(
  root: string,
  options: WalkOptions,
): AsyncGenerator<readonly WalkItem[], void, undefined> {
  options.signal?.throwIfAborted();
  const survey = await Survey.open(root, options);
  const walk: Walk = { survey, signal: options.signal, listed: new Set([""]), links: [] };
  if (options.focus !== undefined) yield* walkNear(walk, folderOf(options.focus));
  else for await (const item of walkFolder(walk, "")) yield [item];
  for await (const item of walkLinks(walk)) yield [item];
}

/** The state of a walk. Paths in `listed` are real paths, relative to the root. */
export interface Walk {
  readonly survey: Survey;
  readonly signal: AbortSignal | undefined;
  readonly listed: Set<string>;
  /** Links that were found and are not followed yet. */
  readonly links: string[];
  /** Is called with each folder that has been listed. */
  readonly onListing?: (path: string, listing: FolderListing) => void;
}

/**
 * Yields what is in `folder` and below it, in the order of paths. The caller has decided that
 * `folder` is read. Links are not followed but added to `walk.links`, and what is listed to
 * `walk.listed`. Rejects with the signal's reason on abort.
 */
export async function* walkFolder(walk: Walk, folder: string): AsyncGenerator<WalkItem, void, undefined> {
  // A few folders are listed ahead of the walk, because listing waits for the disk most of the
  // time.
  const pending: (WalkItem | OpenEntry)[] = [{ kind: "folder", path: folder }];
  const started = new Map<string, Promise<FolderListing>>();
  while (pending.length > 0) {
    const entry = pending.pop()!;
    if (entry.kind === "link") walk.links.push(entry.path);
    else if (entry.kind !== "folder") {
      if (entry.kind === "file") walk.listed.add(entry.path);
      yield entry;
    } else {
      const listing = await (started.get(entry.path) ?? list(walk, entry.path));
      started.delete(entry.path);
      walk.signal?.throwIfAborted();
      if (listing.kind === "skipped") yield listing;
      else for (const child of listing.entries.toReversed()) pending.push(child);
      for (let i = pending.length - 1; i >= 0 && started.size < foldersAhead; i -= 1) {
        const next = pending[i]!;
        if (next.kind !== "folder" || started.has(next.path)) continue;
        const promise = list(walk, next.path);
        // The consumer may stop early; the rejection must not stay unhandled.
        promise.catch(() => undefined);
        started.set(next.path, promise);
      }
    }
  }
}

const foldersAhead = 8;

async function list(walk: Walk, path: string): Promise<FolderListing> {
  const listing = await walk.survey.list(path);
  walk.listed.add(path);
  walk.onListing?.(path, listing);
  return listing;
}

/** Walks outwards from the folder `focus`, or from the nearest folder above it that is entered. */
async function* walkNear(walk: Walk, focus: string): AsyncGenerator<readonly WalkItem[], void, undefined> {
  const known = new Map<string, FolderListing>([["", await list(walk, "")]]);
  let centre = "";
  for (const folder of [...foldersAbove(focus), focus].slice(1)) {
    const above = known.get(centre)!;
    if (above.kind === "skipped") break;
    if (!above.entries.some((entry) => entry.kind === "folder" && entry.path === folder)) break;
    known.set(folder, await list(walk, folder));
    centre = folder;
  }
  const seen = new Set([centre]);
  let ring = [centre];
  while (ring.length > 0) {
    walk.signal?.throwIfAborted();
    const listings: FolderListing[] = [];
    for (let i = 0; i < ring.length; i += foldersAhead) {
      const some = ring.slice(i, i + foldersAhead);
      listings.push(...(await Promise.all(some.map((folder) => known.get(folder) ?? list(walk, folder)))));
      walk.signal?.throwIfAborted();
    }
    const next: string[] = [];
    const reach = (folder: string) => {
      if (seen.has(folder)) return;
      seen.add(folder);
      next.push(folder);
    };
    for (const [index, listing] of listings.entries()) {
      if (ring[index] !== "") reach(folderOf(ring[index]!));
      if (listing.kind === "skipped") {
        yield [listing];
        continue;
      }
      const items: WalkItem[] = [];
      for (const entry of listing.entries) {
        if (entry.kind === "folder") reach(entry.path);
        else if (entry.kind === "link") walk.links.push(entry.path);
        else {
          if (entry.kind === "file") walk.listed.add(entry.path);
          items.push(entry);
        }
      }
      yield items;
    }
    ring = next.sort(comparePaths);
  }
}

/**
 * Follows the links in `walk.links`, in the order of their paths, and the links that are found
 * behind them; yields what they lead to and the links that are skipped. Removes all links from
 * `walk.links`. Rejects with the signal's reason on abort.
 */
export async function* walkLinks(walk: Walk): AsyncGenerator<WalkItem, void, undefined> {
  const { survey, listed } = walk;
  for (;;) {
    const links = walk.links.splice(0).sort(comparePaths);
    if (links.length === 0) return;
    for (const link of links) {
      const end = await survey.follow(link, (real) => listed.has(real));
      walk.signal?.throwIfAborted();
      if (end.kind === "skipped") yield end;
      else if (end.entry === "file") {
        listed.add(end.real);
        yield await survey.file(link);
      } else yield* walkBehind(walk, link, end.real);
    }
  }
}

/**
 * Walks the real folder `real` under the path `folder`, which contains a link. Files that are
 * listed already are left out.
 */
async function* walkBehind(walk: Walk, folder: string, real: string): AsyncGenerator<WalkItem, void, undefined> {
  if (walk.listed.has(real)) return;
  walk.listed.add(real);
  const listing = await walk.survey.list(folder, real);
  walk.signal?.throwIfAborted();
  if (listing.kind === "skipped") {
    yield listing;
    return;
  }
  for (const entry of listing.entries) {
    const realEntry = joinPath(real, nameOf(entry.path));
    if (entry.kind === "link") walk.links.push(entry.path);
    else if (entry.kind === "folder") yield* walkBehind(walk, entry.path, realEntry);
    else if (!walk.listed.has(realEntry)) {
      if (entry.kind === "file") walk.listed.add(realEntry);
      yield entry;
    }
  }
}
