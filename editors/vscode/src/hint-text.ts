/** The longest file name and the longest folder in a hint, in UTF-16 code units. */
const maxName = 40;
const maxFolder = 24;

/**
 * The hint at a line's end for an edit in another file: the name first, since the end of a long
 * hint is cut. `path` is relative to the workspace, and `line` counts from 1.
 */
export function elsewhereHint(path: string, line: number, reason: string): string {
  const slash = path.lastIndexOf("/");
  const folder = slash === -1 ? "" : ` in ${shortened(path.slice(0, slash), maxFolder)}`;
  return `Tab: ${shortened(path.slice(slash + 1), maxName)}:${line}${folder}, ${reason}`;
}

/** A text with an ellipsis in the middle where it is longer than `most` UTF-16 code units. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.floor((most - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`;
}
