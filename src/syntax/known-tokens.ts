import { switchesOf } from "./randomness.ts";
import { more, type TokenFormat, type TokenRun, tokenFormats } from "./token-formats.ts";

/** Whether a text contains a token of one of the {@link tokenFormats}. */
export function holdsToken(text: string): boolean {
  anyPrefix.lastIndex = 0;
  for (let found = anyPrefix.exec(text); found !== null; found = anyPrefix.exec(text)) {
    if (isTokenAt(text, found.index, found[0])) return true;
    anyPrefix.lastIndex = found.index + 1;
  }
  return text.length >= shortestInner && inner.some((format) => holdsInnerToken(text, format));
}

/** Whether a text begins with a token of a format that has a prefix. */
export function startsWithToken(text: string): boolean {
  const prefix = prefixAtStart.exec(text)?.[0];
  return prefix !== undefined && isTokenAt(text, 0, prefix);
}

/** A format that begins with a fixed text. */
interface PrefixedFormat {
  readonly prefix: string;
  /** Matches what follows the prefix. */
  readonly rest: RegExp;
  readonly format: TokenFormat;
}

/** A format that begins with a run. */
interface InnerFormat {
  readonly minLength: number;
  /** The longest fixed text. */
  readonly mark: string;
  readonly pattern: RegExp;
  readonly format: TokenFormat;
}

const prefixed = tokenFormats.flatMap(prefixedFormat);
const inner = tokenFormats.flatMap(innerFormat);
const shortestInner = Math.min(...inner.map(({ minLength }) => minLength));

/** The shortest of the prefixes that begin alike: one pattern that most texts do not match. */
const prefixes = prefixed
  .map(({ prefix }) => prefix)
  .filter(
    (prefix, i, all) => all.indexOf(prefix) === i && !all.some((one) => one !== prefix && prefix.startsWith(one)),
  );
const anyPrefix = new RegExp(`\\b${alternativesOf(prefixes)}`, "g");
const prefixAtStart = new RegExp(`^${alternativesOf(prefixes)}`);

/** The formats whose prefix begins with one of the {@link prefixes}. */
const byPrefix: ReadonlyMap<string, readonly PrefixedFormat[]> = new Map(
  prefixes.map((start) => [start, prefixed.filter(({ prefix }) => prefix.startsWith(start))]),
);

/** A pattern of texts in which each character is tested once, however many texts begin with it. */
function alternativesOf(texts: readonly string[]): string {
  const byFirst = new Map<string, readonly string[]>();
  for (const text of texts) byFirst.set(text.charAt(0), [...(byFirst.get(text.charAt(0)) ?? []), text.slice(1)]);
  if (byFirst.has("")) return "";
  const alternatives = [...byFirst].map(([first, rests]) => escaped(first) + alternativesOf(rests));
  return alternatives.length === 1 ? alternatives[0]! : `(?:${alternatives.join("|")})`;
}

function prefixedFormat(format: TokenFormat): readonly PrefixedFormat[] {
  const [prefix, ...parts] = format.parts;
  return typeof prefix === "string" ? [{ prefix, rest: new RegExp(sourceOf(parts), "y"), format }] : [];
}

function innerFormat(format: TokenFormat): readonly InnerFormat[] {
  if (typeof format.parts[0] === "string") return [];
  const marks = format.parts.filter((part) => typeof part === "string");
  return [
    {
      minLength: format.parts.reduce((sum, part) => sum + (typeof part === "string" ? part.length : part[1]), 0),
      mark: marks.reduce((longest, mark) => (mark.length > longest.length ? mark : longest)),
      pattern: new RegExp(`(?<![A-Za-z0-9_])${sourceOf(format.parts)}`, "g"),
      format,
    },
  ];
}

/** The pattern of parts of a token, and of the end of a last run that has a maximum. */
function sourceOf(parts: readonly (string | TokenRun)[]): string {
  const last = parts.at(-1)!;
  const isOpen = typeof last !== "string" && last[2] === more;
  const end = isOpen ? "" : `(?![A-Za-z0-9_]${typeof last === "string" ? "" : `|[${last[0]}]`})`;
  return parts.map((part) => (typeof part === "string" ? escaped(part) : runSource(part))).join("") + end;
}

function runSource([alphabet, min, max = min]: TokenRun): string {
  return `[${alphabet}]{${min},${max}}`;
}

function escaped(text: string): string {
  return text.replace(/[.+?/\\^$*()[\]{}|]/g, "\\$&");
}

/** Whether a token begins at `start` with a prefix that begins with one of the {@link prefixes}. */
function isTokenAt(text: string, start: number, shortest: string): boolean {
  for (const { prefix, rest, format } of byPrefix.get(shortest)!) {
    if (!text.startsWith(prefix, start)) continue;
    rest.lastIndex = start + prefix.length;
    if (rest.test(text) && isToken(text.slice(start, rest.lastIndex), prefix.length, format)) return true;
  }
  return false;
}

function holdsInnerToken(text: string, { minLength, mark, pattern, format }: InnerFormat): boolean {
  if (text.length < minLength || !text.includes(mark)) return false;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (isToken(found[0], 0, format)) return true;
  }
  return false;
}

/** Whether what has the form of a token also has the characters of one behind its prefix. */
function isToken(found: string, prefixLength: number, { mayLackDigits, random }: TokenFormat): boolean {
  if (mayLackDigits) return true;
  const body = found.slice(prefixLength);
  return /[0-9]/.test(body) && (!random || switchesOf(body) >= body.length / 8);
}
