/**
 * The absolute path, with `/` between names, that a `file:` address names; `undefined` for any other address.
 *
 * Editors write one file's address in several ways (`file:///c%3A/x`, `file:///C:/x`), all of which give one path.
 */
export function tryPathOfUri(uri: string): string | undefined {
  const parts = /^file:(?:\/\/([^/?#]*))?(\/[^?#]*)?/i.exec(uri);
  if (parts === null) return undefined;
  try {
    const host = decodeURIComponent(parts[1] ?? "");
    const path = decodeURIComponent(parts[2] ?? "/").replace(/(?<=.)\/+$/, "");
    const drive = /^\/([a-z]):(.*)$/i.exec(path);
    if (drive !== null) return `${drive[1]!.toUpperCase()}:${drive[2] === "" ? "/" : drive[2]}`;
    return host === "" || host === "localhost" ? path : `//${host}${path}`;
  } catch {
    // A `%` that begins no character: no editor writes such an address for a file.
    return undefined;
  }
}

/** The path in an address of any scheme, decoded as far as it can be; whatever the scheme adds to it is left out. */
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

/** The `file:` address of an absolute path with `/` between names. */
export function toFileUri(path: string): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return path.startsWith("//") ? `file:${encoded}` : `file://${path.startsWith("/") ? "" : "/"}${encoded}`;
}
