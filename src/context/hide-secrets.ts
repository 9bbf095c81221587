import type { RedactedText } from "../model/index.ts";
import { holdsToken, languageById, languageOf, looksSecret } from "../syntax/index.ts";
import { passwordNames, secretNames, secretWords } from "./secret-names.ts";
import { type SecretRule, secretRules } from "./secret-rules.ts";
import { isMoreThanWords, isPasswordOfWords, isReference } from "./secret-values.ts";

/** A text that may be shown, and how much of it was replaced. */
export interface ShownText {
  readonly text: RedactedText;
  /** How many keys, tokens and passwords are replaced. */
  readonly hidden: number;
}

/** The `language` of a unified diff: each of its files is in its own. */
const diffLanguage = "diff";

/**
 * The `language` of messages of tools: they quote code, and have `name=value` pairs as literals do.
 */
export const messageLanguage = "message";

/** The replacement of a secret. */
const mark = "…";

/**
 * A text with `…` in the place of whatever looks like a key, a token or a password. Quotes, and the
 * number of lines, stay.
 *
 * A literal is replaced if {@link looksSecret} accepts it, or if it is the value of a name that
 * ends like `token` and is more than words, or of one that ends like `password` and is no word that
 * names, describes or represents one. The text without quotes is replaced if it looks like a key.
 * In comments, and in a `language` where texts need no quotes, such as YAML, so is the value of
 * such a name; elsewhere it is code that merely names a password. So are the passwords of
 * connection strings and of well-known commands. Law: what is hidden once has nothing more to hide.
 */
export function hideSecrets(text: string, language = ""): ShownText {
  return hideWith(() => mark, text, language);
}

/**
 * As {@link hideSecrets}, with `…` in the place of each UTF-16 unit of a secret: offsets of the
 * text hold in what is shown.
 */
export function hideSecretsInPlace(text: string, language = ""): ShownText {
  return hideWith((secret) => mark.repeat(secret.length), text, language);
}

/**
 * The lines with their secrets replaced, as {@link hideSecrets} does for their whole text; as many
 * as before.
 */
export function hideSecretsInLines(lines: readonly string[], language: string): readonly RedactedText[] {
  // Hiding keeps the number of lines.
  return lines.length === 0 ? [] : (hideSecrets(lines.join("\n"), language).text.split("\n") as RedactedText[]);
}

/** The first `length` UTF-16 units of a redacted text. */
export function beginningOf(text: RedactedText, length: number): RedactedText {
  return text.slice(0, length) as RedactedText;
}

/** What is written in the place of a secret. */
type Cover = (secret: string) => string;

function hideWith(cover: Cover, text: string, language: string): ShownText {
  if (language === diffLanguage) return hideInDiff(cover, text);
  let shown = { text, hidden: 0 };
  // The text beside a secret may look like a secret only once that one is hidden.
  for (let found = -1; found !== 0; ) {
    const next = hideOnce(cover, shown.text, language);
    found = next.hidden;
    shown = { text: next.text, hidden: shown.hidden + found };
  }
  return { ...shown, text: shown.text as RedactedText };
}

/** Each file of a diff is in a language of its own. */
function hideInDiff(cover: Cover, diff: string): ShownText {
  const parts = diff.split(/^(?=diff --git )/m).map((part) => {
    const path = /^(?:\+\+\+ "?(?:b\/)?|diff --git .* "?b\/)([^\t\r\n"]+)/m.exec(part)?.[1] ?? "";
    return hideWith(cover, part, languageOf(path).id);
  });
  const hidden = parts.reduce((sum, one) => sum + one.hidden, 0);
  return { text: parts.map(({ text }) => text).join("") as RedactedText, hidden };
}

function hideOnce(cover: Cover, text: string, language: string): { readonly text: string; readonly hidden: number } {
  let hidden = 0;
  const hide = (found: string) => {
    hidden += 1;
    return cover(found);
  };
  const hideBy = (rules: readonly SecretRule[], within: string) =>
    secretWords.test(within) ? rules.reduce((shown, rule) => hideByRule(rule, shown, hide), within) : within;
  const hideInLines = (rules: readonly SecretRule[], within: string) =>
    partsWithWords(within)
      .map(({ part, hasWords }) => (hasWords ? hideBy(rules, part) : part))
      .join("");
  const isUnquoted = languageById(language)?.hasBareValues === true;
  let shown = coverKeyBlocks(text, hide)
    // The text between any two adjacent quotes: which of them belong together need not be known.
    .replace(literal, (found: string, offset: number, whole: string) =>
      looksSecret(found) || isNamedSecret(found, whole, offset - 1) ? hide(found) : found,
    );
  if (isUnquoted || language === messageLanguage)
    shown = shown.replace(unquotedValue, (found) => hideUnquotedToken(found, hide));
  shown = hideInLines(rulesOfAll, shown)
    .replace(literal, (found: string) => hideBy(rulesOfLiterals, hideConnectionParts(found, hide)))
    .replace(bare, (found) => (looksSecret(found) || sentryAddress.test(found) ? hide(found) : found));
  if (isUnquoted) shown = hideValuesOfSecretManifest(hideBlockScalars(hideInLines(rulesOfUnquoted, shown), hide), hide);
  else if (language === messageLanguage) shown = hideInLines(rulesOfLiterals, hideConnectionParts(shown, hide));
  else shown = shown.replace(comment, (found) => hideBy(rulesOfUnquoted, found));
  return { text: shown, hidden };
}

const rulesOfAll = secretRules.filter(({ scope }) => scope === "all");
const rulesOfLiterals = secretRules.filter(({ scope }) => scope === "literals");
const rulesOfUnquoted = secretRules.filter(({ scope }) => scope !== "all");

/** How many lines below its first one a rule looks at. */
const linesBelow = 5;

/** A text in parts of whole lines: those that rules have to be tried on, and the others. */
function partsWithWords(text: string): readonly { readonly part: string; readonly hasWords: boolean }[] {
  if (!secretWords.test(text)) return [{ part: text, hasWords: false }];
  const parts: { part: string; hasWords: boolean }[] = [];
  let left = 0;
  for (const line of text.split(/(?<=\n)/)) {
    left = secretWords.test(line) ? linesBelow : left - 1;
    const last = parts.at(-1);
    if (last?.hasWords === left > 0) last.part += line;
    else parts.push({ part: line, hasWords: left > 0 });
  }
  return parts;
}

function hideByRule({ pattern, isSecret }: SecretRule, text: string, hide: (found: string) => string): string {
  return text.replace(pattern, (found: string, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1) as { readonly value: string } & Readonly<Record<string, string | undefined>>;
    const { value } = groups;
    if (value.replaceAll(mark, "") === "" || !isSecret(value, groups)) return found;
    const start = found.lastIndexOf(value);
    return found.slice(0, start) + hide(value) + found.slice(start + value.length);
  });
}

const literal = /(?<=["'`])[^"'`\r\n]{4,}(?=["'`])/g;
const bare = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'`<>()]{6,}|[A-Za-z0-9+/_.~-]{20,}/g;

/** An address that anybody may report errors to who knows it. */
const sentryAddress = /^https?:\/\/[^/@\s]+@[^/@\s]*sentry/;

/** Texts between blanks, quotes and brackets that are long enough for a token. */
const unquotedValue = /[^\s"'`,;(){}[\]<>…]{16,4096}/g;

/** A text without quotes with its token replaced, which may follow a name: `TOKEN=…`. */
function hideUnquotedToken(text: string, hide: (found: string) => string): string {
  if (!holdsToken(text)) return text;
  const name = /^[+-]?[\w.-]{1,80}[=:]/.exec(text)?.[0] ?? "";
  const value = text.slice(name.length);
  return holdsToken(value) ? name + hide(value) : hide(text);
}

/**
 * The rest of a line behind what begins a comment in some language; a private member of a class
 * begins like one.
 */
const comment = /(?:(?<=^|\s)(?:#(?=[\s#])|--|\*|;)|\/\/|\/\*|<!--).*/gm;

/** A password in a connection string: a part of its own between semicolons. */
const connectionPart = new RegExp(`((?:^|;)[\\w ]{0,40}${passwordNames}\\s*=\\s*)([^\\s;…]{3,200})`, "g");

function hideConnectionParts(text: string, hide: (found: string) => string): string {
  return text.replace(connectionPart, (found, name: string, value: string) =>
    isReference(value) ? found : name + hide(value),
  );
}

/**
 * Whether the literal whose quote is at `quote` is what a password, a key or the like is set to.
 */
function isNamedSecret(value: string, text: string, quote: number): boolean {
  const before = text.slice(Math.max(0, quote - 100), quote);
  if (!secretValue.test(before) || isReference(value)) return false;
  if (passwordValue.test(before)) return isMoreThanWords(value) || isPasswordOfWords(value);
  return value.length >= 6 && isMoreThanWords(value);
}

const setTo = "[\"'`\\]]*(?: ?: ?[\\w.]+)?[ \\t]*(?::=|=>|[:=]{1,3})[ \\t]*$";
const secretValue = new RegExp(secretNames + setTo);
const passwordValue = new RegExp(passwordNames + setTo);

/**
 * The lines below a name of YAML that has a text of several lines; in a diff they may begin with a
 * sign.
 */
function hideBlockScalars(text: string, hide: (found: string) => string): string {
  return text.replace(
    blockScalar,
    (_, head: string, body: string) =>
      head + body.replace(/[^\s+…-][^\r\n…]{3,}/g, (line) => (isReference(line) ? line : hide(line))),
  );
}

const blockScalar = new RegExp(
  `^([+-]? {0,40}(?:- )?["']?[\\w.-]{0,60}?${secretNames}["']?: {0,4}[|>][-+\\d]{0,2}[ \\t]*\\r?\\n)((?:[+-]? {2,80}\\S[^\\r\\n]*(?:\\r?\\n|$)){1,100}?)(?=[+-]? {0,40}[\\w"'.-]{1,60}:|[+-]?\\s*$|(?![\\s\\S]))`,
  "gm",
);

/** What a manifest of Kubernetes keeps as `data` of a secret, whatever its names are. */
function hideValuesOfSecretManifest(text: string, hide: (found: string) => string): string {
  if (!/\bkind: ["']?Secret\b/.test(text)) return text;
  return text.replace(
    /^([+-]? {1,20}[\w.-]{1,100}: {1,4})([A-Za-z0-9+/]{8,8192}={0,2})(?=\s*$)/gm,
    (found, name: string, value: string) =>
      /[^a-z-]/.test(value) && value.length % 4 === 0 ? name + hide(value) : found,
  );
}

/**
 * The text with what `cover` gives in the place of each line of a private key.
 *
 * An excerpt may show a part of a key: the lines below its first mark are covered as far as they
 * are base64, and so are those above its last mark. Lines of a diff, a comment, a quotation or of
 * literals that are joined count like those of a file; `\n` in a literal ends a line. Takes time
 * linear in the length of the text.
 */
function coverKeyBlocks(text: string, cover: (found: string) => string): string {
  if (!keyMark.test(text)) return text;
  // Every other part is what ends a line.
  const parts = text.split(/(\r?\n|\\r\\n|\\n)/);
  const covered = new Map<number, string>();
  const coverRow = (index: number) =>
    covered.set(
      index,
      parts[index]!.replace(row, (_, lead: string, key: string, rest: string) => lead + cover(key) + rest),
    );
  const coverBeside = (index: number) => {
    const shown = parts[index]!.replace(material, cover);
    if (shown !== parts[index]) covered.set(index, shown);
  };
  let inside: "no" | "at-mark" | "in-key" = "no";
  let rowsLeft = 0;
  for (let index = 0; index < parts.length; index += 2) {
    const part = parts[index]!;
    const mark = firstMark.exec(part);
    if (mark !== null) {
      inside = "at-mark";
      // PuTTY writes the number of lines first, and nothing below them.
      rowsLeft = mark[1] === undefined ? Number.POSITIVE_INFINITY : Number(mark[1]);
      coverBeside(index);
    } else if (lastMark.test(part)) {
      if (inside === "no") coverAbove(index);
      inside = "no";
      coverBeside(index);
    } else if (inside !== "no" && !isBetweenRows(part)) {
      const key = row.exec(part)?.[2];
      if (key === undefined || (inside === "at-mark" && key.length < leastMaterial)) inside = "no";
      else {
        inside = --rowsLeft > 0 ? "in-key" : "no";
        coverRow(index);
      }
    }
  }
  function coverAbove(end: number): void {
    for (let index = end - 2; index >= 0 && row.test(parts[index]!); index -= 2) {
      // Only the last line of a key is short.
      if (index < end - 2 && row.exec(parts[index]!)![2]!.length < leastMaterial) return;
      coverRow(index);
    }
  }
  return parts.map((part, index) => covered.get(index) ?? part).join("");
}

const keyMark = /PRIVATE KEY(?: BLOCK)?-----|Private-Lines: /;
const firstMark = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|\bPrivate-Lines: (\d{1,4})/;
const lastMark = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;

/**
 * A line of base64, with the characters around it in a diff, a comment, a quotation, or a literal
 * that is joined to others.
 */
const row = /^([\s"'`+=,.;()#*/|>&\\-]{0,80}?)([A-Za-z0-9+/]{4,4096}={0,2})([\s"'`+,.;()|&\\-]{0,80})$/;

/** Base64 beside a mark, on its line. */
const material = /[A-Za-z0-9+/=]{24,}/g;
/** The least length of a key's lines but the last, in characters. */
const leastMaterial = 24;

/** Whether a line of a key's armour is none of the key: empty, or a header. */
function isBetweenRows(part: string): boolean {
  return /^[\s"'`+,.;()#*/|>&\\-]{0,80}$|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ?/.test(part);
}
