import { getOrInsert } from "../../text/index.ts";
import type { CodeBlock } from "../graph/code-block.ts";

/** Where a name is declared and exported. */
export interface ExportPlace {
  readonly path: string;
  /** Whether only a type is exported, without a value at run time. */
  readonly isType: boolean;
}

/** The names that files of a workspace declare and export, updated one file at a time. */
export class ExportIndex {
  readonly #byFile = new Map<string, ReadonlyMap<string, ExportPlace>>();
  readonly #byName = new Map<string, Set<string>>();
  /**
   * An import specifier of one of the files, as a sample of how modules are named; `undefined`
   * where there is none.
   */
  readonly sample: string | undefined;

  constructor({ sample }: { readonly sample?: string | undefined } = {}) {
    this.sample = sample;
  }

  /**
   * Adds or replaces a file. Only exported declarations at its top level count, not re-exports and
   * not names without a declaration.
   */
  update(path: string, blocks: readonly CodeBlock[]): void {
    this.remove(path);
    const places = new Map<string, ExportPlace>();
    for (const { isExported, owner, kind, simpleName } of blocks) {
      if (!isExported || owner !== undefined || simpleName === "" || !declares.has(kind)) continue;
      places.set(simpleName, { path, isType: kind === "interface" || kind === "type" });
    }
    this.#byFile.set(path, places);
    for (const name of places.keys()) getOrInsert(this.#byName, name, () => new Set()).add(path);
  }

  /** Removes a file; does nothing for an unknown one. */
  remove(path: string): void {
    for (const name of this.#byFile.get(path)?.keys() ?? []) this.#byName.get(name)?.delete(path);
    this.#byFile.delete(path);
  }

  /** The place of a name that exactly one file exports; otherwise `undefined`. */
  only(name: string): ExportPlace | undefined {
    const files = this.#byName.get(name);
    if (files?.size !== 1) return undefined;
    const [path] = files;
    return this.#byFile.get(path!)?.get(name);
  }

  /** Whether the file at `path` is known, with or without exports. */
  has(path: string): boolean {
    return this.#byFile.has(path);
  }
}

const declares: ReadonlySet<string> = new Set(["function", "class", "interface", "type", "enum", "variable"]);
