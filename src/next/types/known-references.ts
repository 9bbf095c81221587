import { type FileReferences, isScript } from "../../codebase/index.ts";
import { seenByOthers } from "./felt-names.ts";
import type { PastReferences } from "./past-references.ts";
import type { PresentTypes, TextOverlay } from "./present-types.ts";
import type { ScriptStates } from "./script-states.ts";

/**
 * What names of files mean, asked anew only where what that hangs on is another: the text of the file, those of the files that it means something in, and what is seen of
 * all others. What is inferred from bodies is not followed. Of a name that nobody asked about before, that name alone is asked.
 *
 * A history that forgets its oldest edit makes another past with each key, in which nearly all files are as they were.
 */
export class KnownReferences {
  readonly #states: Pick<ScriptStates, "blocksOf">;
  /** By the file, the one asked about last at the end. */
  readonly #known = new Map<string, KnownAnswer>();

  constructor(states: Pick<ScriptStates, "blocksOf">) {
    this.#states = states;
  }

  /**
   * What these names of a file meant while other texts were there, and names that were asked about before; the same value as long as nothing is known to be otherwise, and
   * nothing new is asked. Rejects as `references` does.
   */
  async of(
    path: string,
    saying: ReadonlySet<string>,
    past: TextOverlay,
    { references, signal }: { readonly references: PastReferences; readonly signal?: AbortSignal | undefined },
  ): Promise<FileReferences> {
    const { types } = references;
    const texts = types.snapshot(past);
    const last = this.#known.get(path);
    const isFew = last !== undefined && last.names.size <= maxNames;
    const known = isFew && last.types === types && this.#isAsBefore(path, last, texts) ? last : undefined;
    const asked = new Set([...saying].filter((name) => known?.names.has(name) !== true));
    let found = known?.found;
    if (found === undefined || asked.size > 0) {
      const more = (await references.of(path, asked, past, { signal })) ?? nothingIn(path);
      found = found === undefined ? more : joined(found, more);
    }
    this.#known.delete(path);
    this.#known.set(path, { types, texts, names: new Set([...(known?.names ?? []), ...asked]), found });
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

  /** What others see of a text, and where it has from what it gives on. */
  #seen(path: string, text: string): string {
    const blocks = this.#states.blocksOf(path, text);
    const modules = blocks.filter(({ kind }) => kind === "import" || kind === "export");
    const said = modules.map(({ own }) => text.slice(own.start, own.end));
    return [seenByOthers({ text, blocks }), ...said].join("\n");
  }
}

/** What the names of a file mean of which nothing is known. */
export function nothingIn(path: string): FileReferences {
  return { path, references: [], unresolved: 0, precision: "types" };
}

/** All that two answers about one text say. */
function joined(one: FileReferences, other: FileReferences): FileReferences {
  const all = new Map([...one.references, ...other.references].map((each) => [JSON.stringify(each), each] as const));
  const doubts = new Map([...(one.doubts ?? []), ...(other.doubts ?? [])].map((each) => [each.start, each] as const));
  return {
    ...{ ...one, ...other },
    references: [...all.values()].sort((first, second) => first.start - second.start),
    ...(doubts.size > 0 && { doubts: [...doubts.values()].sort((first, second) => first.start - second.start) }),
  };
}

/** How many files are remembered, and from how many names of one on what it means is asked anew. */
const maxFiles = 200;
const maxNames = 200;

interface KnownAnswer {
  readonly types: PresentTypes;
  /** All texts when it was given. */
  readonly texts: TextOverlay;
  /** What was asked about. */
  readonly names: ReadonlySet<string>;
  readonly found: FileReferences;
}
