import { languageById } from "../languages/index.ts";
import { type ScanState, scanRules } from "./scan-state.ts";

const lessThan = 60;

/**
 * Scans a text made of tags, from `state.at` to `state.end`: each tag is a pair of `<` and `>`, the
 * content between them is text.
 *
 * `scanCode` scans embedded scripts and styles: it gets the state with `end` and `rules` of the
 * embedded text.
 */
export function scanMarkup(state: ScanState, scanCode: (state: ScanState) => void): void {
  const { text } = state;
  while (state.at < state.end) {
    const start = state.at;
    const next = state.find("<", start);
    state.textRegion(start, next);
    state.at = next;
    if (state.has("<!--")) {
      const close = state.find("-->", next + 4);
      state.at = Math.min(state.end, close + 3);
      state.region("comment", next, state.at, { start: false, end: close === state.end });
    } else if (/[A-Za-z/!?]/.test(text[next + 1] ?? "")) {
      const tag = scanTag(state);
      if (tag === undefined) continue;
      followElements(state, tag, next);
      scanEmbedded(state, tag, scanCode);
    } else if (next < state.end) {
      state.at++;
    }
  }
}

/** Updates the open elements for a tag that begins at `start`. */
function followElements({ text, openTags, rules }: ScanState, tag: string, start: number): void {
  const closed = /^<\/([\w.:-]+)/.exec(tag)?.[1];
  if (closed !== undefined) {
    const opener = openTags.findLastIndex((open) => isSameName(tagName(text, open), closed));
    // Elements left open inside of it end with it.
    if (opener >= 0) openTags.length = opener;
  } else if (/^<[A-Za-z]/.test(tag) && !tag.endsWith("/>")) {
    const isEmpty = rules.language.quirks.closedElements !== true && emptyElements.test(tagName(text, start));
    if (!isEmpty) openTags.push(start);
  }
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The elements that have no end tag. Source: HTML Living Standard, void elements. */
const emptyElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/**
 * Scans a tag to the offset after its `>` and returns its text; `undefined` where another tag
 * begins before it ends.
 */
function scanTag(state: ScanState): string | undefined {
  const { text } = state;
  const start = state.at;
  const { depth } = state.brackets;
  state.brackets.open(start, lessThan);
  for (state.at++; state.at < state.end; state.at++) {
    const character = text[state.at];
    if ((character === '"' || character === "'") && /=\s*$/.test(text.slice(start, state.at))) {
      const close = state.find(character, state.at + 1);
      state.region("string", state.at, Math.min(state.end, close + 1), { start: false, end: close === state.end });
      state.at = close;
    } else if (character === ">") {
      state.brackets.close(state.at, lessThan, depth);
      state.at++;
      return text.slice(start, state.at);
    } else if (character === "<") {
      break;
    }
  }
  state.brackets.cut(depth, state.at);
  return undefined;
}

function scanEmbedded(state: ScanState, tag: string, scanCode: (state: ScanState) => void): void {
  const name = /^<(script|style)\b/i.exec(tag)?.[1]?.toLowerCase();
  if (name === undefined || tag.endsWith("/>")) return;
  const closing = new RegExp(`</${name}`, "ig");
  closing.lastIndex = state.at;
  const stop = closing.exec(state.text)?.index ?? state.end;
  const language = languageById(embeddedLanguage(name, tag));
  if (language === undefined) {
    state.textRegion(state.at, stop);
    state.at = stop;
    return;
  }
  const { rules, end } = state;
  const floor = state.brackets.depth;
  state.rules = scanRules(language);
  state.end = Math.min(end, stop);
  state.frames.push({ kind: "code", floor, nested: false });
  scanCode(state);
  state.frames.length = 0;
  state.brackets.cut(floor, stop);
  state.rules = rules;
  state.end = end;
  state.at = stop;
}

/** The language id of a script or style by its attributes; empty for data and templates. */
function embeddedLanguage(name: string, tag: string): string {
  const attribute = (key: string) => new RegExp(`\\b${key}=["']?([\\w/.+-]+)`, "i").exec(tag)?.[1]?.toLowerCase();
  const language = attribute("lang");
  if (name === "style") return language ?? "css";
  if (language === "ts" || language === "tsx") return language === "ts" ? "typescript" : "typescriptreact";
  const type = attribute("type") ?? "module";
  if (/json/.test(type)) return "json";
  return /^(module|(text|application)\/(java|ecma)script|text\/babel)$/.test(type) ? "javascriptreact" : "";
}

/**
 * The name of the opening or closing tag whose `<` is at `start`; empty for a JSX fragment, and
 * where there is no tag.
 */
export function tagName(text: string, start: number): string {
  const name = /<\/?([\p{L}\p{N}_$.:-]*)/uy;
  name.lastIndex = start;
  return name.exec(text)?.[1] ?? "";
}
