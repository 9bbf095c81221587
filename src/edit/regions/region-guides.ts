import {
  type CompiledGrammar,
  expectedTerminals,
  FillSession,
  HoleGuide,
  type SliceOptions,
  type TextAround,
  type TextGuide,
} from "../../grammar/index.ts";
import { getOrInsert } from "../../text/index.ts";

/** Constrains the new text of a region to a grammar. */
export interface RegionGuide extends TextGuide {
  /** The names of the terminals that may follow `text`. */
  expected(text: string): readonly string[];
}

/** The guide of a region, or the reason why there is none. */
export type RegionGuideAnswer =
  | { readonly kind: "guide"; readonly guide: RegionGuide }
  | { readonly kind: "no-guide"; readonly reason: NoGuideReason };

/** Why no grammar constrains the new text of a region. */
export type NoGuideReason =
  /** Guidance was switched off. */
  | "off"
  /** There is no grammar for the language. */
  | "no-grammar"
  /** The text exceeds the size limit for reading with a grammar. */
  | "too-large"
  /** The text before the region begins no text of the language. */
  | "broken-before"
  /** The text after the region ends no text of the language. */
  | "broken-behind"
  /** Each side is possible by itself, but no text within the budget joins them. */
  | "no-filling"
  /** Reading the text with the grammar takes too long. */
  | "too-slow";

/** The options of {@link RegionGuides}. */
export interface RegionGuidesOptions {
  /**
   * Loads the grammar of a language by its id in the registry; `undefined` where there is none.
   * Called once for each language.
   */
  readonly load: (language: string) => Promise<CompiledGrammar | undefined>;
  /** The most UTF-16 code units of the text around a region; 200,000 by default. */
  readonly maxCharacters?: number;
  /** How the work of reading texts is cut in slices. */
  readonly slices: Omit<SliceOptions, "signal" | "maxMs">;
}

/** The time limit for reading one text with its grammar, in milliseconds. */
const maxReadMs = 10_000;

/** The text around a region. */
export interface RegionAround {
  readonly before: string;
  /**
   * The text after the region; several texts where later regions, which may still become anything,
   * divide it.
   */
  readonly behind: readonly string[];
  /** The text after the region with the current text of later regions, if there are any. */
  readonly behindAsItIs?: string | undefined;
}

/**
 * Creates guides for regions of texts, by language. Grammars are loaded on first use and cached.
 */
export class RegionGuides {
  readonly #load: RegionGuidesOptions["load"];
  readonly #maxCharacters: number;
  readonly #slices: SliceOptions;
  readonly #sessions = new Map<string, Promise<FillSession | undefined>>();

  constructor({ load, slices, maxCharacters = 200_000 }: RegionGuidesOptions) {
    this.#load = load;
    this.#maxCharacters = maxCharacters;
    this.#slices = { ...slices, maxMs: maxReadMs };
  }

  /**
   * Creates the guide for the new text of a region, which may have at most `maxBytes` bytes of
   * UTF-8.
   *
   * Returns the reason where there is no guide. Yields to other work of the thread. Rejects with
   * the signal's reason.
   */
  async open(
    language: string,
    { before, behind, behindAsItIs }: RegionAround,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined },
  ): Promise<RegionGuideAnswer> {
    const session = await this.#session(language);
    if (session === undefined) return { kind: "no-guide", reason: "no-grammar" };
    if (before.length + behind.reduce((sum, { length }) => sum + length, 0) > this.#maxCharacters) {
      return { kind: "no-guide", reason: "too-large" };
    }
    const slices = { ...this.#slices, signal };
    const opened = await openGuide(session, { before, behind }, { maxBytes, slices });
    if (typeof opened === "string" || behindAsItIs === undefined) return toAnswer(opened);
    const asItIs = await openGuide(session, { before, behind: behindAsItIs }, { maxBytes, slices });
    return toAnswer(typeof asItIs === "string" ? opened : preferring(asItIs, opened));
  }

  #session(language: string): Promise<FillSession | undefined> {
    // A grammar that fails to load counts as missing: the language's own parser still checks the
    // text.
    return getOrInsert(this.#sessions, language, () =>
      this.#load(language).then(
        (grammar) => grammar && new FillSession(grammar),
        () => undefined,
      ),
    );
  }
}

async function openGuide(
  session: FillSession,
  around: TextAround,
  { maxBytes, slices }: { readonly maxBytes: number; readonly slices: SliceOptions },
): Promise<RegionGuide | NoGuideReason> {
  const opening = await session.openInSlices(around, slices);
  if (opening.kind !== "open") return reasons[opening.kind];
  const { hole } = opening;
  const guide = new HoleGuide(hole, { maxBytes });
  if (!guide.allows("")) return "no-filling";
  return {
    allows: (text) => guide.allows(text),
    canContinue: (text) => guide.canContinue(text),
    mayEnd: (text) => guide.mayEnd(text),
    ending: (text) => guide.ending(text),
    expected: (text) => expectedTerminals(hole, hole.add(hole.empty, new TextEncoder().encode(text))),
  };
}

const reasons = {
  "dead-prefix": "broken-before",
  "dead-suffix": "broken-behind",
  "no-filling": "no-filling",
  "too-slow": "too-slow",
} as const;

/** A guide like `guide` whose endings also satisfy `first`, where possible. */
function preferring(first: RegionGuide, guide: RegionGuide): RegionGuide {
  return { ...guide, ending: (text) => first.ending(text) ?? guide.ending(text) };
}

function toAnswer(opened: RegionGuide | NoGuideReason): RegionGuideAnswer {
  return typeof opened === "string" ? { kind: "no-guide", reason: opened } : { kind: "guide", guide: opened };
}
