import { getOrInsert } from "../../text/index.ts";
import type { SliceOptions } from "../reading/work-slices.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { FillSession } from "./fill-session.ts";
import type { Hole } from "./hole.ts";
import { HoleGuide } from "./hole-guide.ts";

/** Options of {@link LanguageGuides}. */
export interface LanguageGuidesOptions {
  /**
   * Loads the grammar of a language by its id in the registry; `undefined` where it has none.
   * Called once for each language.
   */
  readonly load: (language: string) => Promise<CompiledGrammar | undefined>;
  /**
   * The most UTF-16 code units of prefix and suffix together; longer texts have no guide. Default:
   * 200,000.
   */
  readonly maxCharacters?: number;
  /**
   * Slices for {@link LanguageGuides.prepareAt}. Without them, a text is read when its guide is
   * requested.
   */
  readonly slices?: Omit<SliceOptions, "signal">;
}

const defaultMaxCharacters = 200_000;

/** The most positions whose guides are kept: that of the cursor, and those examined ahead. */
const maxPlaces = 4;

/** A hole in a text of a language. */
interface GuidedPlace {
  readonly language: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** Why no guide could be prepared for a position. */
export type NoGuide =
  /** Reading the text with its grammar exceeds the time limit. */
  | { readonly kind: "too-slow" }
  /** The text is longer than `limit`, in UTF-16 code units. */
  | { readonly kind: "too-long"; readonly characters: number; readonly limit: number };

/**
 * Guides for holes in texts that are being edited, by language.
 *
 * A grammar is loaded when its language is first requested; until then there is no guide. A text's
 * analysis is reused for the next hole in it.
 */
export class LanguageGuides {
  readonly #load: LanguageGuidesOptions["load"];
  readonly #maxCharacters: number;
  readonly #slices: LanguageGuidesOptions["slices"];
  readonly #loads = new Map<string, Promise<void>>();
  readonly #sessions = new Map<string, FillSession>();
  /** The prepared positions, the latest last. */
  #prepared: readonly { readonly place: GuidedPlace; readonly hole: Hole | undefined }[] = [];

  constructor({ load, maxCharacters = defaultMaxCharacters, slices }: LanguageGuidesOptions) {
    this.#load = load;
    this.#maxCharacters = maxCharacters;
    this.#slices = slices;
  }

  /**
   * Loads the grammar of a language; settles when its guides are available. Never rejects: a
   * grammar that fails to load counts as none.
   */
  prepare(language: string): Promise<void> {
    return getOrInsert(this.#loads, language, () =>
      this.#load(language).then(
        (grammar) => void (grammar && this.#sessions.set(language, new FillSession(grammar))),
        () => undefined,
      ),
    );
  }

  /**
   * Reads the text around a hole in slices, so that {@link guideFor} has it at once; resolves to
   * the reason where the text is too long or reading it takes too long, else to `undefined`, also
   * where no filling completes the text. Rejects with the signal's reason. Does nothing while the
   * grammar is not loaded.
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
   * The guide for a hole between `prefix` and `suffix`; `undefined` while the language has no
   * grammar, and where no filling completes the text, since text that is being typed is often
   * broken elsewhere. With slices, only prepared positions have a guide.
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
