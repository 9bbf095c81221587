/**
 * Returns a copy of a text that shares no memory with it.
 *
 * JavaScript engines make a slice a view of the whole text. A cache that keeps a slice of a file of
 * 1 MB therefore keeps 1 MB.
 */
export function copyText(text: string): string {
  // Lone surrogates are escaped and come back.
  return JSON.parse(JSON.stringify(text)) as string;
}

/**
 * The part of a text from `start` to `end`: a copy where the text is more than twice as long, so
 * that what keeps the part does not keep the text.
 */
export function ownPart(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  return part.length < text.length / 2 ? copyText(part) : part;
}
