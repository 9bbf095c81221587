/**
 * Whether the content of a string literal looks like a key, a token or a password in an address.
 *
 * It is meant for every literal of a workspace, so that none is learnt by heart: cheap questions
 * come first, and most literals end at their length or at a blank. A literal that holds blanks is
 * looked through for marks only.
 *
 * - Yes: the known beginnings of providers' tokens; signed web tokens; private keys, also in
 *   base64; `scheme://name:password@host`, and `scheme://token@host`; hashes of passwords, as
 *   `.htpasswd` has them; 32 or more hexadecimal digits, hashes of commits and files among them:
 *   they need no completion, and a random key looks the same; 20 or more characters of a random
 *   mix of upper case, lower case and digits, or 32 of digits and letters of one case.
 * - No: words, sentences, identifiers, slugs, paths, class names, colours, UUIDs (they name things
 *   and open nothing), checksums with their algorithm in front (`sha512-...`), and data addresses,
 *   which are content.
 */
export function looksSecret(literal: string): boolean {
  const { length } = literal;
  if (length < 16) return length >= 8 && literal.includes("://") && hasPassword(literal);
  if (isPlain(literal)) return false;
  const text = length > maxLength ? literal.slice(0, maxLength) : literal;
  if (text.includes("-----BEGIN ") && privateKey.test(text)) return true;
  if (text.includes("://") && hasPassword(text)) return true;
  if (text.startsWith("data:")) return false;
  if (knownToken.test(text) || passwordHash.test(text)) return true;
  return !/\s/.test(text) && looksRandom(text);
}

/** Keys are short; what is longer is a document, and is looked at where it begins. */
const maxLength = 4096;

/** Whether a literal has nothing that a key would have: no digit, no colon, no two dashes. */
function isPlain(literal: string): boolean {
  // Hugging Face's tokens are of letters only.
  if (literal.startsWith("hf_")) return false;
  for (let i = 0; i < literal.length; i += 1) {
    const code = literal.charCodeAt(i);
    if ((code >= 0x30 && code <= 0x3a) || (code === 0x2d && literal.charCodeAt(i + 1) === 0x2d)) return false;
  }
  return true;
}

/** As `crypt`, web servers and frameworks keep passwords: the algorithm, salt and hash. */
const passwordHash =
  /\$(?:apr1|[1567y]|2[abxy]|argon2\w{1,2}|scrypt|pbkdf2[\w-]*)\$[\w./+,=-]{2,100}\$?[\w./+$=-]{16,}|(?<![\w{])\{(?:S?SHA|SSHA?\d{3}|CRYPT|S?MD5)\}[\w+/$.=-]{16,}|\b(?:pbkdf2_sha\d+|argon2|bcrypt_sha256|scrypt)\$[\w$./+=-]{30,}/;

const privateKey = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;

/**
 * The beginnings that providers give their tokens, so that they can be found. Sources: GitHub's,
 * GitLab's, Slack's, Stripe's, Google's, AWS's, npm's and PyPI's own pages on their token formats.
 */
const knownToken = new RegExp(
  `(?<![A-Za-z0-9_])(?:${[
    "sk-(?:proj-|ant-|or-v1-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}",
    "gh[oprsu]_[A-Za-z0-9]{30,}",
    "github_pat_[A-Za-z0-9_]{30,}",
    "gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[A-Za-z0-9_-]{20,}",
    "xox[abeoprs]-[A-Za-z0-9-]{10,}",
    "xapp-[0-9]-[A-Z0-9]+-[A-Za-z0-9-]{10,}",
    "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Z0-9])",
    "AIza[A-Za-z0-9_-]{35}",
    "ya29\\.[A-Za-z0-9_-]{20,}",
    "GOCSPX-[A-Za-z0-9_-]{20,}",
    "(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}",
    "whsec_[A-Za-z0-9+/=]{20,}",
    "npm_[A-Za-z0-9]{36}",
    "pypi-AgE[A-Za-z0-9_-]{40,}",
    "dop_v1_[a-f0-9]{64}",
    "hf_[A-Za-z0-9]{30,}",
    "gsk_[A-Za-z0-9]{40,}",
    "r8_[A-Za-z0-9]{30,}",
    "(?:hv[sbr]|dp\\.(?:pt|st|ct|sa|scim|audit))\\.[A-Za-z0-9_-]{20,}",
    "fm[12][ar]?_[A-Za-z0-9+/=_-]{40,}",
    "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}",
    "[MNO][A-Za-z0-9_-]{22,27}\\.[A-Za-z0-9_-]{6,7}\\.[A-Za-z0-9_-]{27,}",
    "[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])",
    "1//0[A-Za-z0-9_-]{40,}",
    // A PEM file in base64: certificates begin like keys, and are no loss.
    "LS0tLS1CRUdJTi[A-Za-z0-9+/]{16,}",
    "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}",
    "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    "sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}",
    "lin_api_[A-Za-z0-9]{32,}",
    "AGE-SECRET-KEY-1[A-Z0-9]{50,}",
    "eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]*",
  ].join("|")})`,
);

/** A token in the place of a user's name, which has a digit in it and is longer than names are. */
const loneToken = /:\/\/(?=[a-z_-]{0,60}[0-9])(?![\w.-]{0,60}\.[a-z]{2,})[a-z0-9_.~-]{20,200}@/i;

/** An address that anybody may post to who knows it. */
const webhook =
  /:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20,}|discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{10,}\/[\w-]{20,}|[\w.-]+\.webhook\.office\.com\/(?=\w*webhook)\w+\/[\w@/-]{30,})/;

/**
 * Whether an address in the text carries a password. A placeholder is none: `user:password@`,
 * `{user}:{password}@`.
 */
function hasPassword(text: string): boolean {
  if (loneToken.test(text) || webhook.test(text)) return true;
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

/**
 * Whether a text without blanks is, or ends with, a long run of digits and letters that follow no
 * habit.
 */
function looksRandom(text: string): boolean {
  if (text.length > 512 || uuid.test(text) || checksum.test(text)) return false;
  // The value of `key=value` and `Bearer:value`, without the signs that pad base64.
  const value = text.replace(/(?<!=)=+$/, "").replace(/^.*[=:,;](?=[^=:,;]{16,}$)/, "");
  if (/^[0-9a-f]+$/i.test(value)) return isRandomHexadecimal(value);
  // Some providers put a few letters in front of their hexadecimal keys, or a region behind.
  const digits = /^(?:[A-Za-z]{2,5}[-_]?)?([0-9a-f]{32,})(?:-[a-z]{2}\d{1,2})?$/.exec(value)?.[1];
  if (digits !== undefined) return isRandomHexadecimal(digits);
  if (value.length >= 32 && /^(?:[a-z0-9]+|[A-Z0-9]+)$/.test(value)) return isRandomOfOneCase(value);
  if (value.length < 20 || !/^[A-Za-z0-9+/_.~-]+$/.test(value)) return false;
  if (value.includes("/") && isPath(value)) return false;
  return isRandomMix(value);
}

const uuid = /^[{(]?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}[)}]?$/i;
const checksum = /^(?:sha(?:1|224|256|384|512)|md5|h1|blake[23]\w*)[-:=]/i;

function isRandomHexadecimal(value: string): boolean {
  if (value.length < 32) return false;
  // Long numbers, `0000...` and `0123456789abcdef` are made by hand.
  if (!/[0-9]/.test(value) || !/[a-f]/i.test(value) || value.includes("0123456789")) return false;
  return entropyOf(value.toLowerCase()) > 3;
}

/**
 * Whether the parts between slashes read like names. Base64 has slashes too, but its parts are a
 * jumble.
 */
function isPath(value: string): boolean {
  return value.split("/").every((part) => part.length < 20 || !isRandomMix(part)) && !isRandomMix(value);
}

/**
 * Whether upper case, lower case and digits are mixed as no one would write them by hand: words and
 * numbers change between kinds of characters once a word, a random text at every second or third
 * character, and words have small letters in a row.
 */
function isRandomMix(value: string): boolean {
  if (!/[0-9]/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  let inWords = 0;
  for (const [word] of value.matchAll(/[A-Z]?[a-z]{3,}/g)) inWords += word.length;
  return inWords < value.length * 0.45 && switchesOf(value) >= value.length / 5 && entropyOf(value) > 3.5;
}

/** Whether digits and letters of one case change places as no one would write them by hand. */
function isRandomOfOneCase(value: string): boolean {
  return switchesOf(value) >= value.length / 4 && entropyOf(value) > 3.7 && !/[a-z]{12}|[A-Z]{12}|\d{9}/.test(value);
}

/**
 * How often neighbours are of different kinds: upper case, lower case, digit. `Ab` counts as one
 * word's beginning.
 */
function switchesOf(value: string): number {
  let switches = 0;
  let before = "";
  for (const char of value) {
    const kind =
      char >= "0" && char <= "9" ? "0" : char >= "a" && char <= "z" ? "a" : char >= "A" && char <= "Z" ? "A" : "-";
    if (before !== "" && kind !== before && !(before === "A" && kind === "a") && kind !== "-" && before !== "-")
      switches += 1;
    before = kind;
  }
  return switches;
}

/** Shannon's entropy of the characters, in bits a character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
