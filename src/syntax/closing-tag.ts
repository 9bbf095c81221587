import type { Language } from "./languages.ts";
import { Structure } from "./structure.ts";

/** A closing tag that a text ends in. */
export interface ClosingTag {
  /** What is written of its name. */
  readonly typed: string;
  /**
   * The names that it may have: that of the innermost element, and behind those whose closing tag
   * may be left out that around it.
   */
  readonly names: readonly string[];
}

/**
 * The closing tag that `text` ends in, behind its `</` and some of its name; `undefined` where it
 * ends in none, or lies in no element.
 */
export function tryClosingTag(text: string, language: Language): ClosingTag | undefined {
  if (language.quirks.jsx !== true && language.quirks.markup !== true) return undefined;
  const head = closingHead.exec(text.slice(-maxHead));
  if (head === null) return undefined;
  const open = Structure.of(text.slice(0, text.length - head[0].length), language).openElements.reverse();
  if (open.length === 0) return undefined;
  const needed =
    language.quirks.jsx === true || language.id === "xml" ? 0 : open.findIndex((name) => !endsByItself.test(name));
  return { typed: head[1]!, names: [...new Set(needed < 0 ? open : open.slice(0, needed + 1))] };
}

/** The elements whose closing tag may be left out. Source: HTML Living Standard, optional tags. */
const endsByItself =
  /^(?:li|dt|dd|p|rt|rp|optgroup|option|colgroup|caption|thead|tbody|tfoot|tr|td|th|body|html|head)$/i;

const closingHead = /<\/([\p{L}\p{N}_$.:-]*)$/u;

/** A longer name is none. UTF-16 units. */
const maxHead = 200;
