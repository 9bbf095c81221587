/**
 * The message of a server, in one line of at most 300 characters; empty for nothing and for web
 * pages.
 */
export function serverMessage(body: string): string {
  const text = messageIn(tryParse(body)) ?? (/^\s*</.test(body) ? "" : body);
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/**
 * The message in an error of any server: a text, `{error}`, `{error: {message}}`, `{message}`,
 * `{detail: [{msg}]}`.
 */
export function messageIn(value: unknown, depth = 6): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth === 0) return undefined;
  if (Array.isArray(value)) return messageIn(value[0], depth - 1);
  const { error, message, detail, msg } = value as Readonly<Record<string, unknown>>;
  for (const inner of [error, message, detail, msg]) {
    const found = messageIn(inner, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function tryParse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
