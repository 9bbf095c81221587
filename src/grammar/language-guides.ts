import type { CompiledGrammar } from "./compiled-grammar.ts";
import { FillSession } from "./fill-session.ts";
import { HoleGuide } from "./hole-guide.ts";

/** How {@link LanguageGuides} come by grammars. */
export interface LanguageGuidesOptions {
  /** The grammar of a language by its id in the registry; `undefined` where there is none. Asked once of each language. */
  readonly load: (language: string) => Promise<CompiledGrammar | undefined>;
  /** The most UTF-16 units of a text with its hole: a longer one has no guide. 200,000 unless told. */
  readonly maxCharacters?: number;
}

const defaultMaxCharacters = 200_000;

/**
 * Guides for holes in texts that are being edited, by language.
 *
 * A grammar is loaded when its language is first asked for, and there is no guide until then. What was found out of a text is
 * kept for the next hole in it.
 */
export class LanguageGuides {
  readonly #load: LanguageGuidesOptions["load"];
  readonly #maxCharacters: number;
  readonly #loads = new Map<string, Promise<void>>();
  readonly #sessions = new Map<string, FillSession>();

  constructor({ load, maxCharacters = defaultMaxCharacters }: LanguageGuidesOptions) {
    this.#load = load;
    this.#maxCharacters = maxCharacters;
  }

  /** Loads what is needed for a language; settles when its guides are there. A grammar that does not load counts as none. */
  prepare(language: string): Promise<void> {
    const known = this.#loads.get(language);
    if (known !== undefined) return known;
    const loading = this.#load(language).then(
      (grammar) => void (grammar && this.#sessions.set(language, new FillSession(grammar))),
      () => undefined,
    );
    this.#loads.set(language, loading);
    return loading;
  }

  /**
   * The guide for what goes between `prefix` and `suffix`; `undefined` where the language has no grammar yet, and where nothing
   * can make the text whole: text that is being typed is often broken elsewhere.
   */
  guideFor(language: string, prefix: string, suffix: string): HoleGuide | undefined {
    void this.prepare(language);
    const session = this.#sessions.get(language);
    if (session === undefined || prefix.length + suffix.length > this.#maxCharacters) return undefined;
    const opening = session.open({ before: prefix, behind: suffix });
    return opening.kind === "open" ? new HoleGuide(opening.hole) : undefined;
  }
}
