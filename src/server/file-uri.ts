/**
 * The absolute path, with `/` between names, of a `file:` URI; `undefined` for any other URI, and
 * for one with a malformed `%` escape.
 *
 * Editors write the URI of one file in several ways (`file:///c%3A/x`, `file:///C:/x`); all of them
 * give the same path.
 */
export function tryPathOfUri(uri: string): string | undefined {
  const parts = /^file:(?:\/\/([^/?#]*))?(\/[^?#]*)?/i.exec(uri);
  if (parts === null) return undefined;
  try {
    const host = decodeURIComponent(parts[1] ?? "");
    const path = decodeURIComponent(parts[2] ?? "/").replace(/(?<=[^/])\/+$|(?<=^\/)\/+$/, "");
    const drive = /^\/([a-z]):(.*)$/i.exec(path);
    if (drive !== null) return `${drive[1]!.toUpperCase()}:${drive[2] === "" ? "/" : drive[2]}`;
    return host === "" || host === "localhost" ? path : `//${host}${path}`;
  } catch {
    // A malformed `%` escape: no editor writes such a URI for a file.
    return undefined;
  }
}

/**
 * The path in a URI of any scheme, percent-decoded as far as possible, without query and fragment.
 */
export function pathInUri(uri: string): string {
  const path = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/?#]*)?([^?#]*)/i.exec(uri)![1]!;
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** The `file:` URI of an absolute path with `/` between names, which are percent-encoded. */
export function toFileUri(path: string): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return path.startsWith("//") ? `file:${encoded}` : `file://${path.startsWith("/") ? "" : "/"}${encoded}`;
}
