import {
  type Block,
  blocksOf,
  enclosingBlocks,
  languageById,
  plaintext,
  Structure,
  type Syntax,
} from "../../syntax/index.ts";
import type { Place } from "../place.ts";

/**
 * Finds the starts of statements in a text at a place, by the tree of the declaration around it. A
 * result is remembered: parsing takes longer than all else that is done with a line.
 */
export class StatementStarts {
  readonly #syntax: Syntax;
  readonly #place: Pick<Place, "prefix" | "suffix" | "language">;
  #window: PlaceWindow | undefined | "unknown" = "unknown";
  #blocks: readonly Block[] | undefined;
  /** By the text that ends with the line. */
  readonly #known = new Map<string, boolean>();

  /** The language's grammar has to be loaded in `syntax`, or all answers are `undefined`. */
  constructor(syntax: Syntax, place: Pick<Place, "prefix" | "suffix" | "language">) {
    this.#syntax = syntax;
    this.#place = place;
  }

  /**
   * The blocks around the place as it is, and the offset in the text that their offsets count from.
   * `undefined` where there is no grammar, or where the declaration around the place has more than
   * 30,000 UTF-16 units on a side.
   */
  blocks(): { readonly blocks: readonly Block[]; readonly from: number } | undefined {
    const window = this.#openWindow();
    if (window === undefined) return undefined;
    this.#blocks ??= this.#parse(window.prefix + window.suffix);
    return this.#blocks && { blocks: this.#blocks, from: window.from };
  }

  /**
   * Whether a statement begins at the line that begins at the offset `lineStart` of `text`, which
   * is written at the place and ends with that line. `undefined` where {@link blocks} is, or the
   * grammar cannot make anything of the line.
   */
  startsAt(text: string, lineStart: number): boolean | undefined {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const starts = this.#find(text, lineStart);
    if (starts !== undefined) this.#known.set(text, starts);
    return starts;
  }

  #find(text: string, lineStart: number): boolean | undefined {
    const window = this.#openWindow();
    if (window === undefined) return undefined;
    const blocks = this.#parse(`${window.prefix}${text}${window.suffix}`);
    if (blocks === undefined) return undefined;
    const from = window.prefix.length;
    const line = from + lineStart;
    const code = line + /^\s*/.exec(text.slice(lineStart))![0].length;
    // The outermost of those that are written at the place: what is around it began before.
    const own = enclosingBlocks(blocks, code).find(({ fullRange }) => fullRange.start >= from);
    return own && own.fullRange.start >= line;
  }

  #openWindow(): PlaceWindow | undefined {
    if (this.#window === "unknown") this.#window = tryPlaceWindow(this.#place);
    return this.#window;
  }

  #parse(text: string): readonly Block[] | undefined {
    using tree = this.#syntax.tryParse({ language: this.#place.language, text });
    if (tree === undefined) return undefined;
    return blocksOf(tree);
  }
}

/** A part of a text around a place that can be parsed by itself. */
interface PlaceWindow {
  /** Where it begins in the text. */
  readonly from: number;
  /** Its text before the place, and behind it. */
  readonly prefix: string;
  readonly suffix: string;
}

/**
 * The declaration around a place, from its first line to its last: what a parser has to see to tell
 * statements apart there, however long the file is. `undefined` where that is more than
 * `maxWindow`.
 *
 * It begins with a line that is not indented and continues nothing, in front of every bracket open
 * at the place.
 */
function tryPlaceWindow({
  prefix,
  suffix,
  language: id,
}: Pick<Place, "prefix" | "suffix" | "language">): PlaceWindow | undefined {
  const language = languageById(id) ?? plaintext;
  const near = prefix.length - maxWindow;
  const outermost = Structure.of(prefix + suffix, language).openersBefore(prefix.length)[0];
  let from = Math.min(outermost?.offset ?? prefix.length, prefix.length);
  do {
    from = prefix.lastIndexOf("\n", from - 1) + 1;
    if (from < near) return undefined;
    if (beginsStatement.test(prefix.slice(from, from + 20))) break;
    from--;
  } while (from > 0);
  from = Math.max(0, from);

  const closed = (outermost?.partner ?? prefix.length) - prefix.length;
  let end = Math.max(0, closed);
  do {
    const feed = suffix.indexOf("\n", end);
    end = feed < 0 ? suffix.length : feed + 1;
    if (end > maxWindow) return undefined;
  } while (end < suffix.length && !beginsStatement.test(suffix.slice(end, end + 20)));
  const island = from > 0 && language.quirks.island !== undefined ? `${language.quirks.island[0]}php ` : "";
  return {
    from: from - island.length,
    prefix: island + prefix.slice(from),
    suffix: suffix.slice(0, end),
  };
}

/** The most UTF-16 units on either side: more take longer to parse than a key may take. */
const maxWindow = 30_000;

/** A line that is not indented and does not go on with the one above. */
const beginsStatement =
  /^(?!<\/|(?:else|elif|elsif|catch|except|finally|rescue|ensure|then|do|done|end|fi|esac|and|or|when|where)\b)[^\s)\]}>,.?:|&#*=]/;

type StartPlace = Pick<Place, "uri" | "prefix" | "suffix" | "language">;

/**
 * The {@link StatementStarts} of the latest places, so that each decision about an answer, while it
 * comes and once it is there, parses each of its lines once.
 */
export class SharedStarts {
  readonly #syntax: Syntax;
  /** The one used last comes first. */
  #known: readonly { readonly place: StartPlace; readonly starts: StatementStarts }[] = [];

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
  }

  /**
   * The {@link StatementStarts} of a place: the same object as before while the place has the same
   * document, text and language and is among the last four that were requested.
   */
  at(place: StartPlace): StatementStarts {
    const found = this.#known.find((known) => isSame(known.place, place));
    const { uri, prefix, suffix, language } = place;
    const known = found ?? {
      place: { uri, prefix, suffix, language },
      starts: new StatementStarts(this.#syntax, place),
    };
    this.#known = [known, ...this.#known.filter((other) => other !== known)].slice(0, maxPlaces);
    return known.starts;
  }

  /** Forgets all places. */
  clear(): void {
    this.#known = [];
  }
}

/** The cursor, the place of the request, the place behind it, and one more. */
const maxPlaces = 4;

function isSame(one: StartPlace, other: StartPlace): boolean {
  const isNear = one.uri === other.uri && one.language === other.language;
  return isNear && one.prefix === other.prefix && one.suffix === other.suffix;
}
