import { looksSecret } from "../syntax/index.ts";
import { passwordNames, secretNames } from "./secret-names.ts";

/** A text that may be shown, and how much of it was replaced. */
export interface ShownText {
  readonly text: string;
  /** How many keys, tokens and passwords are replaced. */
  readonly hidden: number;
}

/** What stands in the place of a secret. */
const mark = "…";

/**
 * A text with `…` in the place of whatever looks like a key, a token or a password. Quotes, and the number of lines, stay.
 *
 * A literal is replaced if {@link looksSecret} says so, or if it is the value of a name that ends like `token` and is more
 * than words, or of one that ends like `password` and is no word that names, describes or stands for one. What stands
 * without quotes is replaced if it looks like a key. In comments, and in a `language` where texts need no quotes, such as
 * YAML, so is the value of such a name; elsewhere it is code that merely names a password. So are the passwords of
 * connection strings and of well-known commands. Law: what is hidden once has nothing more to hide.
 */
export function hideSecrets(text: string, language = ""): ShownText {
  return hideWith(() => mark, text, language);
}

/** As {@link hideSecrets}, with `…` in the place of each UTF-16 unit of a secret: offsets of the text hold in what is shown. */
export function hideSecretsInPlace(text: string, language = ""): ShownText {
  return hideWith((secret) => mark.repeat(secret.length), text, language);
}

/** What is written in the place of a secret. */
type Cover = (secret: string) => string;

function hideWith(cover: Cover, text: string, language: string): ShownText {
  let shown: ShownText = { text, hidden: 0 };
  // What stands beside a secret may look like one only once that is hidden.
  for (let found = -1; found !== 0; ) {
    const next = hideOnce(cover, shown.text, language);
    found = next.hidden;
    shown = { text: next.text, hidden: shown.hidden + found };
  }
  return shown;
}

function hideOnce(cover: Cover, text: string, language: string): ShownText {
  let hidden = 0;
  const hide = (found: string, isSecret: boolean) => {
    if (!isSecret) return found;
    hidden += 1;
    return cover(found);
  };
  const hideNamed = (part: string) =>
    part.replace(
      bareNamed,
      (_, name: string, value: string) => name + hide(value, isMoreThanWords(value) && !isReference(value)),
    );
  const hideInLiteral = (found: string) =>
    found.replace(connectionPart, (_, name: string, value: string) => name + hide(value, !isReference(value)));
  let shown = text
    // What stands between any two quotes that follow each other: which of them belong together need not be known.
    .replace(literal, (found: string, offset: number) =>
      looksSecret(found) || isNamedSecret(found, text, offset - 1) ? hide(found, true) : hideInLiteral(found),
    )
    .replace(bare, (found) => hide(found, looksSecret(found) || sentryAddress.test(found)))
    .replace(commandPassword, (_, command: string, value: string) => command + hide(value, !isReference(value)));
  shown = bareLanguages.has(language) ? hideNamed(shown) : shown.replace(comment, hideNamed);
  return { text: shown, hidden };
}

const literal = /(?<=["'`])[^"'`\r\n]{4,}(?=["'`])/g;
const bare = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'`<>()]{6,}|[A-Za-z0-9+/_.~-]{20,}/g;

/** An address that anybody may report errors to who knows it. */
const sentryAddress = /^https?:\/\/[^/@\s]+@[^/@\s]*sentry/;

/** The rest of a line behind what begins a comment in some language; a private member of a class begins like one. */
const comment = /(?:(?<=^|\s)(?:#(?=[\s#])|--|\*|;)|\/\/|\/\*|<!--).*$/gm;

/** A password in a connection string: a part of its own between semicolons. */
const connectionPart = new RegExp(`((?:^|;)[\\w ]{0,40}${passwordNames}\\s*=\\s*)([^\\s;…]{3,200})`, "g");

/** What some commands take as a password without saying so: `mysql -pWORD`, `sshpass -p WORD`, `curl -u me:WORD`. */
const commandPassword =
  /(\b(?:(?:mysql\w*|mariadb[\w-]*)\b[^\r\n|;]{0,200}?\s-p|sshpass\s+-p\s*|curl\b[^\r\n|;]{0,200}?\s(?:-u|--user)[\s=]?[\w.@-]+:))([^\s"'`$<{…][^\s"'`…]{2,200})/g;

/** Whether a text is a password rather than a label or the name of a variable: no blanks, and not of letters only. */
function isMoreThanWords(text: string): boolean {
  return !/\s/.test(text) && /[^A-Za-z_.\-/${}<>()[\],:;…]/.test(text);
}

/** Whether the literal whose quote is at `quote` is what a password, a key or the like is set to. */
function isNamedSecret(value: string, text: string, quote: number): boolean {
  const before = text.slice(Math.max(0, quote - 100), quote);
  if (!secretValue.test(before) || isReference(value)) return false;
  if (passwordValue.test(before)) return isMoreThanWords(value) || isPasswordOfWords(value);
  return value.length >= 6 && isMoreThanWords(value);
}

/** Whether words, as the value of a password's name, are one: not what a schema, a form or the environment says of it. */
function isPasswordOfWords(value: string): boolean {
  if (/[^\w.-]/.test(value)) return false;
  return !/^[A-Z]+(?:_[A-Z]+)+$/.test(value) && !describesOne.test(value);
}

/** Words that forms, schemas, tests of types and messages have where a password's value would stand. */
const describesOne =
  /passw|pwd|passphrase|secret|token|^(?:string|text|hidden|none|null|nil|undefined|true|false|required|optional|any|unknown|missing|invalid|empty|example|placeholder|redacted|x+)$/i;

const setTo = "[\"'`\\]]*(?: ?: ?[\\w.]+)?[ \\t]*(?::=|=>|[:=]{1,3})[ \\t]*$";
const secretValue = new RegExp(secretNames + setTo);
const passwordValue = new RegExp(passwordNames + setTo);

/** Where values are written without quotes; plain text is what `.properties` and files of no known language are. */
const bareLanguages = new Set(["yaml", "ini", "shellscript", "dockerfile", "makefile", "markdown", "plaintext"]);

/** A name, and its value up to a blank or what closes it. A value does not begin as expressions and YAML's marks do. */
const bareNamed = new RegExp(
  `(${secretNames}["']?[ \\t]*(?:[:?+]?=|:-|[:=]{1,2})[ \\t]*)` +
    '([^\\s"\'`$<>{}()[\\]&*|%,;:=…][^\\s"`{}\\]…]{4,200}[^\\s"\'`{}()\\],;…])(?=[\\s"\'`})\\],;]|$)',
  "g",
);

/** Whether a value says where the password is found: a path, a call, a variable, a YAML tag, a place to fill in. */
function isReference(value: string): boolean {
  return /^(?:\.{0,2}|~)\/|^[\w.:-]+[([]|\$[\w{(]|^![a-z:-]+$|^@.+@$|^\{.*\}$|^<.*>$|^%\w|^\*+$/i.test(value);
}
