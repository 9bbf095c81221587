import { looksSecret } from "../syntax/index.ts";

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
 * A literal is replaced if {@link looksSecret} says so, or if it is the value of a name that ends like `password` and is
 * more than words; what stands without quotes is replaced if it looks like a key. In a `language` where texts need no
 * quotes, such as YAML, so is the value of such a name; elsewhere it is code that merely names a password. Law: what is
 * hidden once has nothing more to hide.
 */
export function hideSecrets(text: string, language = ""): ShownText {
  let hidden = 0;
  const hide = (found: string, isSecret: boolean) => {
    if (!isSecret) return found;
    hidden += 1;
    return mark;
  };
  let shown = text
    // What stands between any two quotes that follow each other: which of them belong together need not be known.
    .replace(literal, (found: string, offset: number) =>
      hide(found, looksSecret(found) || (isMoreThanWords(found) && isNamedSecret(text, offset - 1))),
    )
    .replace(bare, (found) => hide(found, looksSecret(found)));
  if (bareLanguages.has(language)) {
    shown = shown.replace(
      bareNamed,
      (_, name: string, value: string) => name + hide(value, isMoreThanWords(value) && !isReference(value)),
    );
  }
  return { text: shown, hidden };
}

const literal = /(?<=["'`])[^"'`\r\n]{6,}(?=["'`])/g;
const bare = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'`<>()]{6,}|[A-Za-z0-9+/_.~-]{20,}/g;

/** Whether a text is a password rather than a label or the name of a variable: no blanks, and not of letters only. */
function isMoreThanWords(text: string): boolean {
  return !/\s/.test(text) && /[^A-Za-z_.\-/${}<>()[\],:;]/.test(text);
}

/** Whether the literal whose quote is at `quote` is what a password, a key or the like is set to. */
function isNamedSecret(text: string, quote: number): boolean {
  return secretName.test(text.slice(Math.max(0, quote - 100), quote));
}

const names =
  "(?:passw(?:or)?d|passphrase|pwd|secret|(?:api|secret|access|private|signing|encryption)_?key|(?:auth|access|api|refresh|bearer)_?token)";
const secretName = new RegExp(`${names}["'\`\\]]*(?: ?: ?[\\w.]+)?[ \\t]*(?::=|=>|[:=]{1,3})[ \\t]*$`, "i");

/** Where values are written without quotes; plain text is what `.properties` and files of no known language are. */
const bareLanguages = new Set(["yaml", "ini", "shellscript", "dockerfile", "makefile", "markdown", "plaintext"]);

/** A name, and its value up to a blank or what closes it. A value does not begin as expressions and YAML's marks do. */
const bareNamed = new RegExp(
  `(${names}["']?[ \\t]*(?:[:?+]?=|:-|[:=]{1,2})[ \\t]*)` +
    '([^\\s"\'`$<>{}()[\\]&*|%,;:=][^\\s"`{}\\]]{4,}[^\\s"\'`{}()\\],;])(?=[\\s"\'`})\\],;]|$)',
  "gi",
);

/** Whether a value says where the password is found: a path, a call, a variable, a YAML tag, a place to fill in. */
function isReference(value: string): boolean {
  return /^(?:\.{0,2}|~)\/|^[\w.:-]+[([]|\$[\w{(]|^![a-z:-]+$|^@.+@$/i.test(value);
}
