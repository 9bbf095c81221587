import { entropyOf, holdsToken, startsWithToken, switchesOf } from "./known-tokens.ts";

/**
 * Whether the content of a string literal looks like a key, a token or a password in a URL.
 *
 * It is called for every literal of a workspace, so that none is learnt by the built-in model:
 * cheap tests come first, and most literals are decided by their length or a space. In a literal
 * with spaces only known patterns are searched. Only the first 4,096 UTF-16 units are read. A
 * literal of fewer than 16 units is secret only as an address with a password.
 *
 * - Yes: known token prefixes of providers; signed web tokens; private keys, also in base64;
 *   `scheme://name:password@host`, and `scheme://token@host`; addresses of webhooks; password
 *   hashes as in `.htpasswd`; 32 or more hexadecimal digits, including hashes of commits and files:
 *   they need no completion, and a random key looks the same; 20 or more characters of a random mix
 *   of upper case, lower case and digits, or 32 of digits and letters of one case.
 * - No: words, sentences, identifiers, names of tables and columns, slugs, paths, class names,
 *   colours, UUIDs (they name things and grant no access), placeholders such as `name:password@`,
 *   checksums with a prefix for their algorithm (`sha512-...`), and data URLs, which are content.
 */
export function looksSecret(literal: string): boolean {
  const { length } = literal;
  if (length < 16) return length >= 8 && literal.includes("://") && hasPassword(literal);
  const text = length > maxLength ? literal.slice(0, maxLength) : literal;
  if (!keySign.test(text)) return startsWithToken(text);
  if (text.includes("-----BEGIN ") && privateKey.test(text)) return true;
  if (text.includes("://") && hasPassword(text)) return true;
  if (text.startsWith("data:")) return false;
  if (holdsToken(text)) return true;
  if ((text.includes("$") || text.includes("{")) && passwordHash.test(text)) return true;
  return !/\s/.test(text) && looksRandom(text);
}

/** Keys are short. A longer text is a document, and only its beginning is tested. */
const maxLength = 4096;

/** What a literal has that may be a key: a digit, a colon or two dashes. */
const keySign = /[0-9:]|--/;

/** Password hashes of `crypt`, web servers and frameworks: algorithm, salt and hash. */
const passwordHash =
  /\$(?:apr1|[1567y]|2[abxy]|argon2\w{1,2}|scrypt|pbkdf2[\w-]*)\$[\w./+,=-]{2,100}\$?[\w./+$=-]{16,}|(?<![\w{])\{(?:S?SHA|SSHA?\d{3}|CRYPT|S?MD5)\}[\w+/$.=-]{16,}|\b(?:pbkdf2_sha\d+|argon2|bcrypt_sha256|scrypt)\$[\w$./+=-]{30,}/;

const privateKey = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;

/** A token in place of a user name: it contains a digit and is longer than a name. */
const loneToken = /:\/\/(?=[a-z_-]{0,60}[0-9])(?![\w.-]{0,60}\.[a-z]{2,})[a-z0-9_.~-]{20,200}@/i;

/**
 * Whether a URL in the text contains a password. Placeholders are no passwords: `user:password@`,
 * `{user}:{password}@`.
 */
function hasPassword(text: string): boolean {
  if (loneToken.test(text)) return true;
  for (const [, password] of text.matchAll(
    /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#:@"'<>]{0,100}:([^\s/?#@"'<>]{1,200})@/gi,
  )) {
    if (
      !/^(?:\$?\{.*|\$\w+|%\w|\*+|x+|\.+|<.*|pass(?:word|wd)?|secret|pw|pwd|test|example|user(?:name)?|root|postgres|guest|admin)$/i.test(
        password!,
      )
    ) {
      return true;
    }
  }
  return false;
}

/** Whether a text without spaces is, or ends with, a long random run of digits and letters. */
function looksRandom(text: string): boolean {
  if (text.length > 512 || uuid.test(text) || checksum.test(text)) return false;
  // The value of `key=value` and `Bearer:value`, without base64 padding.
  const value = text.replace(/(?<!=)=+$/, "").replace(/^.*[=:,;](?=[^=:,;]{16,}$)/, "");
  if (/^[0-9a-f]+$/i.test(value)) return isRandomHexadecimal(value);
  // Some providers put a short prefix before their hexadecimal keys, or a region after them. Names
  // in databases that are made from hashes have one, too.
  if (databasePrefix.test(value)) return false;
  const digits = /^(?:[A-Za-z]{2,5}[-_]?)?([0-9a-f]{32,})(?:-[a-z]{2}\d{1,2})?$/.exec(value)?.[1];
  if (digits !== undefined) return isRandomHexadecimal(digits);
  if (value.length >= 32 && /^(?:[a-z0-9]+|[A-Z0-9]+)$/.test(value)) return isRandomOfOneCase(value);
  if (value.length < 20 || !/^[A-Za-z0-9+/_.~-]+$/.test(value)) return false;
  if (value.includes("/") && isPath(value)) return false;
  return isRandomMix(value);
}

const databasePrefix = /^(?:cols?|table|tbl|view|idx|ix|uq|fk|rel|chk|seq)[-_]/i;
const uuid = /^[{(]?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}[)}]?$/i;
const checksum = /^(?:sha(?:1|224|256|384|512)|md5|h1|blake[23]\w*)[-:=]/i;

function isRandomHexadecimal(value: string): boolean {
  if (value.length < 32) return false;
  // Long numbers, `0000...` and `0123456789abcdef` are written by hand.
  if (!/[0-9]/.test(value) || !/[a-f]/i.test(value) || value.includes("0123456789")) return false;
  return entropyOf(value.toLowerCase()) > 3;
}

/**
 * Whether the parts between slashes look like names. Base64 contains slashes too, but its parts are
 * random.
 */
function isPath(value: string): boolean {
  return value.split("/").every((part) => part.length < 20 || !isRandomMix(part)) && !isRandomMix(value);
}

/**
 * Whether upper case, lower case and digits alternate as in a random text: handwritten words and
 * numbers change between kinds of characters about once a word, a random text at every second or
 * third character, and words have lower-case letters in a row.
 */
function isRandomMix(value: string): boolean {
  if (!/[0-9]/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  let inWords = 0;
  for (const [word] of value.matchAll(/[A-Z]?[a-z]{3,}/g)) inWords += word.length;
  return inWords < value.length * 0.45 && switchesOf(value) >= value.length / 5 && entropyOf(value) > 3.5;
}

/** Whether digits and letters of one case alternate as in a random text. */
function isRandomOfOneCase(value: string): boolean {
  return switchesOf(value) >= value.length / 4 && entropyOf(value) > 3.7 && !/[a-z]{12}|[A-Z]{12}|\d{9}/.test(value);
}
