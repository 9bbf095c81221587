import type { Project } from "typescript/unstable/async";
import { nestingBound } from "../../syntax/index.ts";
import { getOrInsert } from "../../text/index.ts";
import type { KnownFiles, KnownOutline } from "./typescript-known-files.ts";
import { type FileOutline, type NodePlaces, outlineOf } from "./typescript-outline.ts";

/**
 * The longest text that is read, in UTF-16 units, and the deepest nesting: the traversal of a tree
 * is recursive.
 */
const maxCharacters = 500_000;
const maxNesting = 500;

/**
 * The outlines of a project's files in one snapshot.
 *
 * Each tree is fetched once and not kept. An outline that was read for its places is cached until
 * {@link take}; then it is cached in `known`, as long as there is room.
 */
export class TypeScriptOutlines {
  readonly #project: Project;
  readonly #known: KnownFiles;
  readonly #outlines = new Map<string, Promise<FileOutline | undefined>>();
  readonly #clearTrees: () => void;

  /** `clearTrees` clears the client's cache of trees. */
  constructor(project: Project, known: KnownFiles, clearTrees: () => void) {
    this.#project = project;
    this.#known = known;
    this.#clearTrees = clearTrees;
  }

  /**
   * The outline of a file, by its absolute path. `undefined` when the project does not contain the
   * file, or it has more than 500,000 UTF-16 units or nests deeper than 500 levels. Rejects as the
   * service does.
   */
  async take(path: string): Promise<KnownOutline | undefined> {
    const { outlines } = this.#known;
    const known = outlines.get(path);
    if (known !== undefined) return known;
    const reading = this.#outline(path);
    this.#outlines.delete(path);
    const outline = await reading;
    if (outline === undefined) return undefined;
    const read: KnownOutline = { outline, ownNames: new Map() };
    outlines.set(path, read);
    return read;
  }

  /**
   * The offsets of a file's nodes, by its absolute path; `undefined` in the same cases as for
   * {@link take}.
   */
  places(path: string): Promise<NodePlaces | undefined> {
    return this.#known.places.get(path) ?? this.#outline(path).then((outline) => outline?.places);
  }

  #outline(path: string): Promise<FileOutline | undefined> {
    return getOrInsert(this.#outlines, path, () => {
      const outline = this.#read(path);
      const places = outline.then((read) => read?.places);
      // The promise of the outline already reports the failure.
      places.catch(() => undefined);
      this.#known.places.set(path, places);
      return outline;
    });
  }

  async #read(path: string): Promise<FileOutline | undefined> {
    const tree = await this.#project.program.getSourceFile(path);
    // The client would keep each tree as long as the snapshot.
    this.#clearTrees();
    if (tree === undefined || tree.text.length > maxCharacters || nestingBound(tree.text) > maxNesting)
      return undefined;
    return outlineOf(tree);
  }
}
