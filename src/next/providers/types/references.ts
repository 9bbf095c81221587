import { type FileReferences, isScript } from "../../../codebase/index.ts";
import { seenByOthers } from "./affected-names.ts";
import type { ParseCache } from "./parse-cache.ts";
import type { ReferencesBefore } from "./references-before.ts";
import type { TextOverlay, TypeCheckCache } from "./type-check-cache.ts";

/**
 * A cache of what names of files refer to. An entry is computed again only where one of its inputs
 * changed: the text of the file, the texts of files that its names refer to, or the exported
 * surface of any other file. Types inferred from bodies are not followed. For names that are not in
 * the entry yet, only these are requested.
 *
 * The inputs are compared as texts, because a history that drops its oldest edit gives another past
 * with each key press, in which nearly all files are the same.
 */
export class ReferenceCache {
  readonly #states: Pick<ParseCache, "blocksOf">;
  /** Entries by path, the most recently requested last. */
  readonly #known = new Map<string, KnownAnswer>();

  constructor(states: Pick<ParseCache, "blocksOf">) {
    this.#states = states;
  }

  /**
   * Returns what the names of a file refer to with the texts of `past`, together with names
   * requested before. The result is the same object while no input changed and no name is new.
   * Rejects as `references` does.
   */
  async of(
    path: string,
    names: ReadonlySet<string>,
    past: TextOverlay,
    { references, signal }: { readonly references: ReferencesBefore; readonly signal?: AbortSignal | undefined },
  ): Promise<FileReferences> {
    const { types } = references;
    const texts = types.snapshot(past);
    const last = this.#known.get(path);
    const isFew = last !== undefined && last.names.size <= maxNames;
    const known = isFew && last.types === types && this.#isAsBefore(path, last, texts) ? last : undefined;
    const newNames = new Set([...names].filter((name) => known?.names.has(name) !== true));
    let found = known?.found;
    if (found === undefined || newNames.size > 0) {
      const more = (await references.of(path, newNames, past, { signal })) ?? nothingIn(path);
      found = found === undefined ? more : joined(found, more);
    }
    this.#known.delete(path);
    this.#known.set(path, { types, texts, names: new Set([...(known?.names ?? []), ...newNames]), found });
    for (const oldest of [...this.#known.keys()].slice(0, -maxFiles)) this.#known.delete(oldest);
    return found;
  }

  #isAsBefore(path: string, { types, texts, found }: KnownAnswer, now: TextOverlay): boolean {
    const meant = new Set([path, ...found.references.map(({ targetPath }) => targetPath)]);
    for (const [other, before, after] of types.otherFiles(texts, now)) {
      if (meant.has(other) || before === undefined || after === undefined || !isScript(other)) return false;
      if (this.#seen(other, before) !== this.#seen(other, after)) return false;
    }
    return true;
  }

  /** The exported surface of a text, with its imports and re-exports. */
  #seen(path: string, text: string): string {
    const blocks = this.#states.blocksOf(path, text);
    const modules = blocks.filter(({ kind }) => kind === "import" || kind === "export");
    const moduleTexts = modules.map(({ own }) => text.slice(own.start, own.end));
    return [seenByOthers({ text, blocks }), ...moduleTexts].join("\n");
  }
}

/** Returns the result for a file of whose names nothing is known. */
export function nothingIn(path: string): FileReferences {
  return { path, references: [], unresolved: 0, precision: "types" };
}

/** Merges two results for one text. */
function joined(one: FileReferences, other: FileReferences): FileReferences {
  const all = new Map([...one.references, ...other.references].map((each) => [JSON.stringify(each), each] as const));
  const doubts = new Map([...(one.doubts ?? []), ...(other.doubts ?? [])].map((each) => [each.start, each] as const));
  return {
    ...{ ...one, ...other },
    references: [...all.values()].sort((first, second) => first.start - second.start),
    ...(doubts.size > 0 && { doubts: [...doubts.values()].sort((first, second) => first.start - second.start) }),
  };
}

/**
 * The number of cached files, and the number of names of a file above which its entry is computed
 * again.
 */
const maxFiles = 200;
const maxNames = 200;

interface KnownAnswer {
  readonly types: TypeCheckCache;
  /** All texts when the entry was computed. */
  readonly texts: TextOverlay;
  /** The names that were requested. */
  readonly names: ReadonlySet<string>;
  readonly found: FileReferences;
}
