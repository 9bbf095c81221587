import {
  type CompiledGrammar,
  expectedTerminals,
  FillSession,
  HoleGuide,
  type TextAround,
  type TextGuide,
} from "../grammar/index.ts";

/** Holds the new text of a region to a grammar. */
export interface RegionGuide extends TextGuide {
  /** The names of the terminals that may come next behind `text`. */
  expected(text: string): readonly string[];
}

/** The guide of a region, or why there is none. */
export type RegionGuideAnswer =
  | { readonly kind: "guide"; readonly guide: RegionGuide }
  | { readonly kind: "no-guide"; readonly reason: NoGuideReason };

/** Why the new text of a region is held to no grammar. */
export type NoGuideReason =
  /** Nobody wants it. */
  | "off"
  /** There is no grammar for the language. */
  | "no-grammar"
  /** The text is larger than may be read with a grammar. */
  | "too-large"
  /** What stands before the region begins no text of the language. */
  | "broken-before"
  /** What stands behind it ends no text of the language. */
  | "broken-behind"
  /** Each side can stand in a text, but nothing makes one of both within the budget. */
  | "no-filling";

/** How {@link RegionGuides} come by grammars. */
export interface RegionGuidesOptions {
  /** The grammar of a language by its id in the registry; `undefined` where there is none. Asked once of each language. */
  readonly load: (language: string) => Promise<CompiledGrammar | undefined>;
  /** The most UTF-16 units of a text around a region. 200,000 unless told. */
  readonly maxCharacters?: number;
}

/** A region, and the text it lies in. */
export interface RegionAround {
  readonly before: string;
  /** What stands behind it: several texts where there are further regions that may become anything. */
  readonly behind: readonly string[];
  /** What stands behind it with the further regions as they are, where there are any. */
  readonly behindAsItIs?: string | undefined;
}

/** Makes guides for regions of texts, by language. Grammars are loaded when they are first needed, and kept. */
export class RegionGuides {
  readonly #load: RegionGuidesOptions["load"];
  readonly #maxCharacters: number;
  readonly #sessions = new Map<string, Promise<FillSession | undefined>>();

  constructor({ load, maxCharacters = 200_000 }: RegionGuidesOptions) {
    this.#load = load;
    this.#maxCharacters = maxCharacters;
  }

  /** The guide for what goes into a region; the new text may have so many bytes of UTF-8 at most. */
  async open(
    language: string,
    { before, behind, behindAsItIs }: RegionAround,
    { maxBytes }: { readonly maxBytes: number },
  ): Promise<RegionGuideAnswer> {
    const session = await this.#session(language);
    if (session === undefined) return { kind: "no-guide", reason: "no-grammar" };
    if (before.length + behind.reduce((sum, { length }) => sum + length, 0) > this.#maxCharacters) {
      return { kind: "no-guide", reason: "too-large" };
    }
    const opened = openGuide(session, { before, behind }, maxBytes);
    if (typeof opened === "string" || behindAsItIs === undefined) return toAnswer(opened);
    const asItIs = openGuide(session, { before, behind: behindAsItIs }, maxBytes);
    return toAnswer(typeof asItIs === "string" ? opened : preferring(asItIs, opened));
  }

  #session(language: string): Promise<FillSession | undefined> {
    const known = this.#sessions.get(language);
    if (known !== undefined) return known;
    // A grammar that does not load counts as none: the language's own parser still judges.
    const session = this.#load(language).then(
      (grammar) => grammar && new FillSession(grammar),
      () => undefined,
    );
    this.#sessions.set(language, session);
    return session;
  }
}

function openGuide(session: FillSession, around: TextAround, maxBytes: number): RegionGuide | NoGuideReason {
  const opening = session.open(around);
  if (opening.kind !== "open") return reasons[opening.kind];
  const { hole } = opening;
  const guide = new HoleGuide(hole, { maxBytes });
  if (!guide.allows("")) return "no-filling";
  return {
    allows: (text) => guide.allows(text),
    canGoOn: (text) => guide.canGoOn(text),
    mayEnd: (text) => guide.mayEnd(text),
    ending: (text) => guide.ending(text),
    expected: (text) => expectedTerminals(hole, hole.add(hole.empty, new TextEncoder().encode(text))),
  };
}

const reasons = {
  "dead-prefix": "broken-before",
  "dead-suffix": "broken-behind",
  "no-filling": "no-filling",
} as const;

/** A guide like `guide` that ends texts, where it has the choice, so that `first` lets them end. */
function preferring(first: RegionGuide, guide: RegionGuide): RegionGuide {
  return { ...guide, ending: (text) => first.ending(text) ?? guide.ending(text) };
}

function toAnswer(opened: RegionGuide | NoGuideReason): RegionGuideAnswer {
  return typeof opened === "string" ? { kind: "no-guide", reason: opened } : { kind: "guide", guide: opened };
}
