import type { CodeBlock } from "../graph/code-block.ts";

/** Where a name is declared and exported. */
export interface ExportPlace {
  readonly path: string;
  /** Whether it is a type alone, so that nothing of it is there when the code runs. */
  readonly isType: boolean;
}

/** The names that files of a workspace declare and export. Kept up to date, a file at a time. */
export class ExportIndex {
  readonly #byFile = new Map<string, ReadonlyMap<string, ExportPlace>>();
  readonly #byName = new Map<string, Set<string>>();
  /**
   * An import of a module by its place, as one of the files has it; `undefined` where that is
   * unknown.
   */
  readonly sample: string | undefined;

  constructor({ sample }: { readonly sample?: string | undefined } = {}) {
    this.sample = sample;
  }

  /** Takes a file in, or in place of what it was. Tests export nothing that others could want. */
  update(path: string, blocks: readonly CodeBlock[]): void {
    this.remove(path);
    const places = new Map<string, ExportPlace>();
    for (const { isExported, owner, kind, simpleName } of blocks) {
      if (!isExported || owner !== undefined || simpleName === "" || !declares.has(kind)) continue;
      places.set(simpleName, { path, isType: kind === "interface" || kind === "type" });
    }
    this.#byFile.set(path, places);
    for (const name of places.keys()) {
      const files = this.#byName.get(name);
      if (files === undefined) this.#byName.set(name, new Set([path]));
      else files.add(path);
    }
  }

  remove(path: string): void {
    for (const name of this.#byFile.get(path)?.keys() ?? []) this.#byName.get(name)?.delete(path);
    this.#byFile.delete(path);
  }

  /** Where a name is exported, if exactly one file does. */
  only(name: string): ExportPlace | undefined {
    const files = this.#byName.get(name);
    if (files?.size !== 1) return undefined;
    const [path] = files;
    return this.#byFile.get(path!)?.get(name);
  }

  has(path: string): boolean {
    return this.#byFile.has(path);
  }
}

const declares: ReadonlySet<string> = new Set(["function", "class", "interface", "type", "enum", "variable"]);
