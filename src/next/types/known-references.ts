import { type FileReferences, isScript } from "../../codebase/index.ts";
import { seenByOthers } from "./felt-names.ts";
import type { PastReferences } from "./past-references.ts";
import type { PresentTypes, TextOverlay } from "./present-types.ts";
import type { ScriptStates } from "./script-states.ts";

/**
 * What names of files mean, asked anew only where what that hangs on is another: the text of the file, those of the files that it means something in, and what is seen of
 * all others. What is inferred from bodies is not followed.
 *
 * A history that forgets its oldest edit makes another past with each key, in which nearly all files are as they were.
 */
export class KnownReferences {
  readonly #states: Pick<ScriptStates, "blocksOf">;
  /** By what is asked, the one asked last at the end. */
  readonly #known = new Map<string, KnownAnswer>();

  constructor(states: Pick<ScriptStates, "blocksOf">) {
    this.#states = states;
  }

  /** What these names of a file meant while other texts were there; the same value as long as nothing is known to be otherwise. Rejects as `references` does. */
  async of(
    path: string,
    saying: ReadonlySet<string>,
    past: TextOverlay,
    { references, signal }: { readonly references: PastReferences; readonly signal?: AbortSignal | undefined },
  ): Promise<FileReferences> {
    const { types } = references;
    const texts = types.snapshot(past);
    const key = `${[...saying].sort().join()} in ${path}`;
    const known = this.#known.get(key);
    const isKnown = known?.types === types && this.#isAsBefore(path, known, texts);
    const found = isKnown ? known.found : await references.of(path, saying, past, { signal });
    const answer = found ?? nothingIn(path);
    this.#known.delete(key);
    this.#known.set(key, { types, texts, found: answer });
    for (const oldest of [...this.#known.keys()].slice(0, -maxKnown)) this.#known.delete(oldest);
    return answer;
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

/** How many answers are remembered. */
const maxKnown = 200;

interface KnownAnswer {
  readonly types: PresentTypes;
  /** All texts when it was given. */
  readonly texts: TextOverlay;
  readonly found: FileReferences;
}
