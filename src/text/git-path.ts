/**
 * Prints a path as git does in the headers of a patch: unchanged, or in double quotes with escapes
 * where it contains a quote, a backslash or a control character: `\n` and similar, or three octal
 * digits. Characters outside ASCII stay, as with `core.quotePath=false`.
 *
 * Law: `unquotePath(quotePath(path))` equals `path`.
 */
export function quotePath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be escaped
  const escaped = path.replace(/[\u0000-\u001f"\\\u007f]/g, (character) => {
    const letter = Object.keys(escapes).find((key) => escapes[key] === character);
    return `\\${letter ?? character.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return escaped === path ? path : `"${escaped}"`;
}

/**
 * Reads a path in double quotes at the start of `text`. Returns the path without quotes and
 * escapes, and the number of code units read, quotes included.
 *
 * Escapes are those of C; octal ones are bytes of UTF-8, of which invalid ones become U+FFFD.
 * Returns `undefined` when `text` does not begin with a complete quoted path. Source: `quote.c` of
 * git.
 */
export function tryReadQuotedPath(text: string): { readonly path: string; readonly length: number } | undefined {
  const quoted = /^"((?:[^"\\]|\\(?:[abfnrtv"\\]|[0-3][0-7]{2}))*)"/.exec(text);
  if (quoted === null) return undefined;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [piece, letter, octal] of quoted[1]!.matchAll(/\\(?:([abfnrtv"\\])|([0-7]{3}))|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(letter === undefined ? piece : escapes[letter]!));
  }
  return { path: new TextDecoder().decode(Uint8Array.from(bytes)), length: quoted[0].length };
}

/**
 * Reads a path that may be quoted. A path with invalid quoting, or with text after the quotes, is
 * returned unchanged.
 */
export function unquotePath(text: string): string {
  const quoted = tryReadQuotedPath(text);
  return quoted?.length === text.length ? quoted.path : text;
}

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  '"': '"',
  "\\": "\\",
};
