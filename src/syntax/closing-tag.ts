import type { Language } from "../languages/index.ts";
import { Structure } from "./structure.ts";

/** An incomplete closing tag at the end of a text. */
export interface ClosingTag {
  /** The part of its name that is written. */
  readonly typed: string;
  /**
   * Possible names: that of the innermost element, and, after elements whose closing tag is
   * optional, that of their parent.
   */
  readonly names: readonly string[];
}

/**
 * The incomplete closing tag at the end of `text`, `</` and a part of its name, which may be empty.
 * `undefined` where there is none, where no element is open, and in languages without tags.
 */
export function tryClosingTag(text: string, language: Language): ClosingTag | undefined {
  if (language.quirks.jsx !== true && language.quirks.markup !== true) return undefined;
  const head = closingHead.exec(text.slice(-maxHead));
  if (head === null) return undefined;
  const open = Structure.of(text.slice(0, text.length - head[0].length), language).openElements.reverse();
  if (open.length === 0) return undefined;
  const needed =
    language.quirks.jsx === true || language.quirks.closedElements === true
      ? 0
      : open.findIndex((name) => !endsByItself.test(name));
  return { typed: head[1]!, names: [...new Set(needed < 0 ? open : open.slice(0, needed + 1))] };
}

/** The elements whose closing tag is optional. Source: HTML Living Standard, optional tags. */
const endsByItself =
  /^(?:li|dt|dd|p|rt|rp|optgroup|option|colgroup|caption|thead|tbody|tfoot|tr|td|th|body|html|head)$/i;

const closingHead = /<\/([\p{L}\p{N}_$.:-]*)$/u;

/** The longest name that is considered, in UTF-16 code units. */
const maxHead = 200;
