import type { SliceOptions } from "../reading/work-slices.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { FillSession } from "./fill-session.ts";
import type { Hole } from "./hole.ts";
import { HoleGuide } from "./hole-guide.ts";

/** How {@link LanguageGuides} come by grammars. */
export interface LanguageGuidesOptions {
  /**
   * The grammar of a language by its id in the registry; `undefined` where there is none. Asked
   * once of each language.
   */
  readonly load: (language: string) => Promise<CompiledGrammar | undefined>;
  /**
   * The most UTF-16 units of a text with its hole: a longer one has no guide. 200,000 by default.
   */
  readonly maxCharacters?: number;
  /**
   * How texts are read with their grammars in {@link LanguageGuides.prepareAt}. Without it they are
   * read when their guide is asked for.
   */
  readonly slices?: Omit<SliceOptions, "signal">;
}

const defaultMaxCharacters = 200_000;

/** The most places whose guides are kept: that of the cursor, and one that is looked at ahead. */
const maxPlaces = 4;

/** A hole in a text of a language. */
interface GuidedPlace {
  readonly language: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** Why a place has no guide that could be prepared. */
export type NoGuide =
  /** Reading the text with the grammar takes longer than it may. */
  | { readonly kind: "too-slow" }
  /** The text is longer, in UTF-16 units, than those that have guides. */
  | { readonly kind: "too-long"; readonly characters: number; readonly limit: number };

/**
 * Guides for holes in texts that are being edited, by language.
 *
 * A grammar is loaded when its language is first asked for, and there is no guide until then. What
 * was found out of a text is kept for the next hole in it.
 */
export class LanguageGuides {
  readonly #load: LanguageGuidesOptions["load"];
  readonly #maxCharacters: number;
  readonly #slices: LanguageGuidesOptions["slices"];
  readonly #loads = new Map<string, Promise<void>>();
  readonly #sessions = new Map<string, FillSession>();
  /** The places that were prepared, the last one at the end. */
  #prepared: readonly { readonly place: GuidedPlace; readonly hole: Hole | undefined }[] = [];

  constructor({ load, maxCharacters = defaultMaxCharacters, slices }: LanguageGuidesOptions) {
    this.#load = load;
    this.#maxCharacters = maxCharacters;
    this.#slices = slices;
  }

  /**
   * Loads what is needed for a language; settles when its guides are there. A grammar that does not
   * load counts as none.
   */
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
   * Reads the text around a hole in slices, so that {@link guideFor} answers at once; says why
   * there is no guide. Rejects with the signal's reason. Nothing is read while the grammar is not
   * loaded.
   */
  async prepareAt(
    language: string,
    prefix: string,
    suffix: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<NoGuide | undefined> {
    void this.prepare(language);
    const session = this.#sessions.get(language);
    if (session === undefined || this.#slices === undefined) return undefined;
    const characters = prefix.length + suffix.length;
    if (characters > this.#maxCharacters) return { kind: "too-long", characters, limit: this.#maxCharacters };
    const place = { language, prefix, suffix };
    if (this.#preparedAt(place) !== undefined) return undefined;
    const text = { before: prefix, behind: suffix };
    const opening = await session.openInSlices(text, { ...this.#slices, ...(signal && { signal }) });
    const hole = opening.kind === "open" ? opening.hole : undefined;
    this.#prepared = [...this.#prepared, { place, hole }].slice(-maxPlaces);
    return opening.kind === "too-slow" ? opening : undefined;
  }

  /**
   * The guide for what goes between `prefix` and `suffix`; `undefined` where the language has no
   * grammar yet, and where nothing can make the text whole: text that is being typed is often
   * broken elsewhere. Where texts are read in slices, only places that were prepared have one.
   */
  guideFor(language: string, prefix: string, suffix: string): HoleGuide | undefined {
    void this.prepare(language);
    const session = this.#sessions.get(language);
    if (session === undefined || prefix.length + suffix.length > this.#maxCharacters) return undefined;
    if (this.#slices !== undefined) {
      const hole = this.#preparedAt({ language, prefix, suffix })?.hole;
      return hole && new HoleGuide(hole);
    }
    const opening = session.open({ before: prefix, behind: suffix });
    return opening.kind === "open" ? new HoleGuide(opening.hole) : undefined;
  }

  #preparedAt({ language, prefix, suffix }: GuidedPlace) {
    return this.#prepared.findLast(
      ({ place }) => place.language === language && place.prefix === prefix && place.suffix === suffix,
    );
  }
}
