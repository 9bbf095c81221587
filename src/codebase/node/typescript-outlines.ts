import type { SourceFile } from "typescript/unstable/ast";
import type { Project } from "typescript/unstable/async";
import { type FileOutline, type NodePlaces, outlineOf } from "./typescript-outline.ts";

/** Where the nodes of files stand, by absolute path, for as long as the files stay as they are. */
export type KnownPlaces = Map<string, Promise<NodePlaces | undefined>>;

/**
 * The outlines of a project's files in one state.
 *
 * Each tree is fetched once and let go when it is read. An outline that was read for its places is kept until it is taken; the places
 * themselves, four bytes a node, stay in what is `known`, which outlives the state: whoever owns that forgets the files that change.
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

  /** The outline of a file, by its absolute path, for the last time; `undefined` where the project does not hold it. */
  take(path: string): Promise<FileOutline | undefined> {
    const outline = this.#outline(path);
    this.#outlines.delete(path);
    return outline;
  }

  /** Where the nodes of a file stand, by its absolute path; `undefined` where the project does not hold it. */
  places(path: string): Promise<NodePlaces | undefined> {
    return this.#known.get(path) ?? this.#outline(path).then((outline) => outline?.places);
  }

  #outline(path: string): Promise<FileOutline | undefined> {
    let outline = this.#outlines.get(path);
    if (outline === undefined) {
      outline = this.#read(path);
      this.#outlines.set(path, outline);
      const places = outline.then((read) => read?.places);
      this.#known.set(path, places);
    }
    return outline;
  }

  async #read(path: string): Promise<FileOutline | undefined> {
    // The client's own `getSourceFile` would keep every tree for as long as the state lives.
    const { client, snapshotId } = this.#project.checker as unknown as Inner;
    const question = { snapshot: snapshotId, project: this.#project.id, file: path };
    const bytes = await client.apiRequestBinary("getSourceFile", question);
    if (bytes === undefined) return undefined;
    this.#parts ??= this.#project.program.getSourceFile(path).then(treeParts);
    const parts = await this.#parts;
    return parts && outlineOf(new parts.Tree(bytes, parts.decoder));
  }
}

interface Inner {
  readonly snapshotId: unknown;
  readonly client: { apiRequestBinary(method: string, params: object): Promise<Uint8Array | undefined> };
}

/** How the service's client makes a tree of what it is sent. */
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
