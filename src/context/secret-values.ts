/**
 * Whether a text looks like a password rather than a label or the name of a variable: it has no
 * blanks, and either other characters than letters and punctuation of names, or letters in random
 * case.
 */
export function isMoreThanWords(text: string): boolean {
  return !/\s/.test(text) && (/[^A-Za-z_.\-/${}<>()[\],:;\\…]/.test(text) || isJumble(text));
}

/**
 * Whether a value made of letters, digits, `_`, `.` and `-`, as the value of a password's name, may
 * be a password: it is neither the name of an environment variable nor a word that describes a
 * secret, see {@link describesSecret}.
 */
export function isPasswordOfWords(value: string): boolean {
  if (/[^\w.-]/.test(value)) return false;
  return !/^[A-Z]+(?:_[A-Z]+)+$/.test(value) && !describesSecret(value);
}

/**
 * Whether a value names, describes or represents a secret, as forms, schemas, tests of types and
 * messages do.
 */
export function describesSecret(value: string): boolean {
  return /passw|pwd|passphrase|secret|token|^(?:string|text|hidden|none|null|nil|undefined|true|false|required|optional|any|unknown|missing|invalid|empty|example|placeholder|redacted|x+)$/i.test(
    value,
  );
}

/**
 * Whether a value is a phrase, of two or more lower-case words or three or more capitalized ones,
 * and no label or sentence of a form that asks for one.
 */
export function isPhrase(value: string): boolean {
  if (!/^(?:[a-z]{2,12}(?:[ ._-][a-z]{2,12}){1,30}|[A-Z][a-z]{1,11}(?: [A-Z][a-z]{1,11}){2,30})$/.test(value))
    return false;
  return !/\b(?:a|an|and|are|ask|bad|confirm|empty|enter|file|for|hidden|incorrect|invalid|is|key|missing|must|no|none|not|of|optional|or|pass|password|phrase|passphrase|please|prompt|recovery|repeat|required|secret|seed|the|this|to|wallet|was|with|words|wrong|your)\b/i.test(
    value,
  );
}

/**
 * Whether a value without blanks looks like a key, although its name may be that of something else:
 * 8 or more characters, half of which at the most are words, with digits or with capitals in the
 * middle.
 */
export function isOpaque(value: string): boolean {
  if (value.length < 8 || !/^[\x21-\x7e]+$/.test(value) || /^[\d.,:+/TZ-]+$/.test(value)) return false;
  const share = wordShare(value);
  const digits = value.match(/\d/g)?.length ?? 0;
  return share <= 0.5 && (digits >= 2 || (digits === 1 && share <= 0.25) || isJumble(value));
}

/**
 * Whether a value is the location of a secret and not the secret: it begins like a path, a call or
 * a variable, or is a YAML tag or a placeholder.
 */
export function isReference(value: string): boolean {
  return /^(?:\.{0,2}|~)\/(?![\w+/]*=+$)|^[\w.:-]+[([]|[$#%]\{|\$\(|^\$\w|^%[sdv\w]|\{\{|^![a-z:-]+$|^@.+@$|^\{.*\}$|^<.*>$|^\*+$/i.test(
    value,
  );
}

/**
 * Whether a value is the name of an algorithm, an encoding or a version, which occurs beside the
 * names of secrets.
 */
export function isTechnicalName(value: string): boolean {
  return /^(?:base\d+|sha-?\d+|md5|utf-?\d+|[hrep]s\d+|aes\S*|rsa\S*|ed25519|x\d+|v?\d+(?:\.\d+)*|oauth2|http\S*)$/i.test(
    value,
  );
}

/**
 * Whether a value is plainly made up for a test or a manual: apart from words such as `my` and
 * `token`, it has at most two runs of letters or digits, each short or a sequence such as `abcd` or
 * `1234`.
 */
export function isMadeUp(value: string): boolean {
  const rest = value.replace(
    /(?:token|test|secret|passw(?:or)?d|key|user|name|my|your|some|valid|fake|dummy|example|sample|foo|bar|baz|demo)/gi,
    "",
  );
  const runs = rest.match(/[a-z]+|\d+/gi) ?? [];
  return runs.length <= 2 && runs.every((run) => run.length < 3 || isSequence(run.toLowerCase()));
}

/**
 * Whether each character is the one after, or the same as, the one before it: `abcd`, `1234`,
 * `xxx`.
 */
function isSequence(run: string): boolean {
  const steps = Array.from(run.slice(1), (_, i) => run.charCodeAt(i + 1) - run.charCodeAt(i));
  return steps.every((step) => step === 1) || steps.every((step) => step === 0);
}

/**
 * The decoded text of base64 whose bytes are all printable ASCII; `undefined` for any other text.
 */
export function tryDecodeBase64(value: string): string | undefined {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let text = "";
  let bits = 0;
  let count = 0;
  for (const char of value.replace(/(?<!=)=+$/, "")) {
    const digit = digits.indexOf(char);
    if (digit < 0) return undefined;
    bits = ((bits << 6) | digit) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    const code = (bits >> count) & 0xff;
    if (code < 0x20 || code > 0x7e) return undefined;
    text += String.fromCharCode(code);
  }
  return text;
}

/** Whether letters change between small and capital as no name does: base64 without digits. */
function isJumble(value: string): boolean {
  if (value.length < 8 || !/^[A-Za-z0-9+/_=-]+$/.test(value) || wordShare(value) > 0.4) return false;
  const switches = value.match(/[a-z](?=[A-Z])/g)?.length ?? 0;
  return switches >= 2 && switches >= value.length / 12;
}

/** The share of a text that is made of words: three letters or more that can be pronounced. */
function wordShare(value: string): number {
  let inWords = 0;
  for (const [word] of value.matchAll(/[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}/g)) {
    if (/[aeiouy]/i.test(word) && !/[^aeiouy]{4}/i.test(word)) inWords += word.length;
  }
  return inWords / value.length;
}
