import { type ClosingTag, languageById, tryClosingTag } from "../../syntax/index.ts";
import type { Place } from "../place.ts";

type TagPlace = Pick<Place, "prefix" | "language">;

/**
 * `text` with the name of the element that is open, where the cursor is in a closing tag and the
 * text would close another; `undefined` where no open element's name begins as the tag does. All
 * other texts stay as they are, and so do those at a place with more than 100,000 UTF-16 units
 * before it.
 */
export function fitClosingTag(text: string, place: TagPlace & Pick<Place, "suffix">): string | undefined {
  const tag = tagAt(place, "");
  if (tag === undefined || closesOne(tag.names, tag.typed, text)) return text;
  const name = tag.names.find((open) => open.startsWith(tag.typed));
  if (name === undefined) return undefined;
  return name.slice(tag.typed.length) + (/^\s*>/.test(place.suffix) ? "" : ">");
}

/** Finds out whether texts at one place close an element that is not the one to be closed there. */
export class ClosingTags {
  readonly #place: TagPlace;
  /** What a tag may close that begins behind a text at the place, by that text. */
  readonly #known = new Map<string, ClosingTag | undefined>();

  constructor(place: TagPlace) {
    this.#place = place;
  }

  /**
   * Whether one of the first eight closing tags of `text` closes another element than the open one.
   */
  closeOther(text: string): boolean {
    for (const { index } of [...text.matchAll(/<\//g)].slice(0, maxTags)) {
      const end = index + "</".length;
      const tag = this.#tagBehind(text.slice(0, end));
      if (tag !== undefined && !closesOne(tag.names, tag.typed, text.slice(end))) return true;
    }
    return false;
  }

  /** Each is found once, as the whole document before it is read for it. */
  #tagBehind(text: string): ClosingTag | undefined {
    const known = this.#known.get(text);
    if (known !== undefined || this.#known.has(text)) return known;
    const tag = tagAt(this.#place, text);
    this.#known.set(text, tag);
    return tag;
  }
}

/** More tags than that no suggestion has, or the last ones are one mistake more. */
const maxTags = 8;

function tagAt({ prefix, language: id }: TagPlace, text: string): ClosingTag | undefined {
  const language = languageById(id);
  return language === undefined || prefix.length > maxPrefix ? undefined : tryClosingTag(prefix + text, language);
}

/**
 * How much text is read to find the open elements, in UTF-16 units: a longer text has no
 * result.
 */
const maxPrefix = 100_000;

/**
 * Whether a tag's name that continues with `text` is one of `names`, or the beginning of one where
 * the text ends.
 */
function closesOne(names: readonly string[], typed: string, text: string): boolean {
  const more = /^[\p{L}\p{N}_$.:-]*/u.exec(text)![0];
  const name = typed + more;
  if (more === text && name !== "") return names.some((open) => open.startsWith(name));
  return names.includes(name);
}
