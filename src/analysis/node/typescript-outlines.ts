import type { SourceFile } from "typescript/unstable/ast";
import type { Project } from "typescript/unstable/async";
import { nestingBound } from "../../syntax/index.ts";
import { getOrInsert } from "../../text/index.ts";
import { type FileOutline, type NodePlaces, outlineOf } from "./typescript-outline.ts";

/**
 * The longest text that is read, in UTF-16 units, and the deepest nesting: the traversal of a tree
 * is recursive.
 */
const maxCharacters = 500_000;
const maxNesting = 500;

/** The offsets of nodes, by absolute path; valid as long as the files do not change. */
export type KnownPlaces = Map<string, Promise<NodePlaces | undefined>>;

/**
 * The outlines of a project's files in one snapshot.
 *
 * Each tree is fetched once and not kept. An outline that was read for its places is cached until
 * {@link take}. The places themselves, four bytes for each node, are cached in `known`, which
 * outlives the snapshot; its owner removes the files that change.
 */
export class TypeScriptOutlines {
  readonly #project: Project;
  readonly #known: KnownPlaces;
  readonly #outlines = new Map<string, Promise<FileOutline | undefined>>();
  #parts: Promise<TreeParts | undefined> | undefined;

  constructor(project: Project, known: KnownPlaces) {
    this.#project = project;
    this.#known = known;
  }

  /**
   * The outline of a file, by its absolute path, which is then removed from the cache. `undefined`
   * when the project does not contain the file, or it has more than 500,000 UTF-16 units or nests
   * deeper than 500 levels. Rejects as the service does.
   */
  take(path: string): Promise<FileOutline | undefined> {
    const outline = this.#outline(path);
    this.#outlines.delete(path);
    return outline;
  }

  /**
   * The offsets of a file's nodes, by its absolute path; `undefined` in the same cases as for
   * {@link take}.
   */
  places(path: string): Promise<NodePlaces | undefined> {
    return this.#known.get(path) ?? this.#outline(path).then((outline) => outline?.places);
  }

  #outline(path: string): Promise<FileOutline | undefined> {
    return getOrInsert(this.#outlines, path, () => {
      const outline = this.#read(path);
      const places = outline.then((read) => read?.places);
      // The promise of the outline already reports the failure.
      places.catch(() => undefined);
      this.#known.set(path, places);
      return outline;
    });
  }

  async #read(path: string): Promise<FileOutline | undefined> {
    // The client's own `getSourceFile` would keep each tree as long as the snapshot.
    const { client, snapshotId } = this.#project.checker as unknown as Inner;
    const question = { snapshot: snapshotId, project: this.#project.id, file: path };
    const bytes = await client.apiRequestBinary("getSourceFile", question);
    if (bytes === undefined) return undefined;
    this.#parts ??= this.#project.program.getSourceFile(path).then(treeParts);
    const parts = await this.#parts;
    const tree = parts && new parts.Tree(bytes, parts.decoder);
    if (tree === undefined || tree.text.length > maxCharacters || nestingBound(tree.text) > maxNesting)
      return undefined;
    return outlineOf(tree);
  }
}

interface Inner {
  readonly snapshotId: unknown;
  readonly client: { apiRequestBinary(method: string, params: object): Promise<Uint8Array | undefined> };
}

/** The client's class of trees, with which a response is decoded. */
interface TreeParts {
  readonly Tree: new (bytes: Uint8Array, decoder: unknown) => SourceFile;
  readonly decoder: unknown;
}

function treeParts(source: SourceFile | undefined): TreeParts | undefined {
  if (source === undefined) return undefined;
  const { constructor: Tree, _decoder: decoder } = source as unknown as {
    readonly constructor: TreeParts["Tree"];
    readonly _decoder: unknown;
  };
  return { Tree, decoder };
}
