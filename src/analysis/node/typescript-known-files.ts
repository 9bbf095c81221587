import { LRUCache } from "lru-cache";
import type { FileOutline, NodePlaces } from "./typescript-outline.ts";

/** The most names of outlines that are cached: about 17 MB. */
const maxCachedNames = 60_000;

/** An outline, and what was resolved by means of it. */
export interface KnownOutline {
  readonly outline: FileOutline;
  /**
   * The offsets of the declarations of names that refer to variables or type parameters of the file
   * itself, by the index of the name: they stay as long as the file.
   */
  readonly ownNames: Map<number, readonly number[]>;
}

/**
 * What is known of files, by absolute path, as long as they do not change: the offsets of all
 * nodes, four bytes for each, and the outlines that were used last. It outlives a snapshot.
 */
export class KnownFiles {
  readonly places = new Map<string, Promise<NodePlaces | undefined>>();
  readonly outlines = new LRUCache<string, KnownOutline>({
    maxSize: maxCachedNames,
    sizeCalculation: ({ outline }) => outline.names.length + 1,
  });

  /** The same files without these. */
  without(changed: readonly string[]): KnownFiles {
    const files = new KnownFiles();
    for (const [path, places] of this.places) files.places.set(path, places);
    files.outlines.load(this.outlines.dump());
    for (const path of changed) {
      files.places.delete(path);
      files.outlines.delete(path);
    }
    return files;
  }
}
