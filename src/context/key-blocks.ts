/**
 * The text with what `cover` gives in the place of each line of a private key.
 *
 * An excerpt may show a part of a key: the lines below its first mark are covered as far as they
 * are base64, and so are those above its last mark. Lines of a diff, a comment, a quotation or of
 * literals that are joined count like those of a file; `\n` in a literal ends a line. Takes time
 * linear in the length of the text.
 */
export function coverKeyBlocks(text: string, cover: (found: string) => string): string {
  if (!keyMark.test(text)) return text;
  // Every other part is what ends a line.
  const parts = text.split(/(\r?\n|\\r\\n|\\n)/);
  const covered = new Map<number, string>();
  const coverRow = (index: number) =>
    covered.set(
      index,
      parts[index]!.replace(row, (_, lead: string, key: string, rest: string) => lead + cover(key) + rest),
    );
  const coverBeside = (index: number) => {
    const shown = parts[index]!.replace(material, cover);
    if (shown !== parts[index]) covered.set(index, shown);
  };
  let inside: "no" | "at-mark" | "in-key" = "no";
  let rowsLeft = 0;
  for (let index = 0; index < parts.length; index += 2) {
    const part = parts[index]!;
    const mark = firstMark.exec(part);
    if (mark !== null) {
      inside = "at-mark";
      // PuTTY writes the number of lines first, and nothing below them.
      rowsLeft = mark[1] === undefined ? Number.POSITIVE_INFINITY : Number(mark[1]);
      coverBeside(index);
    } else if (lastMark.test(part)) {
      if (inside === "no") coverAbove(index);
      inside = "no";
      coverBeside(index);
    } else if (inside !== "no" && !isBetweenRows(part)) {
      const key = row.exec(part)?.[2];
      if (key === undefined || (inside === "at-mark" && key.length < leastMaterial)) inside = "no";
      else {
        inside = --rowsLeft > 0 ? "in-key" : "no";
        coverRow(index);
      }
    }
  }
  function coverAbove(end: number): void {
    for (let index = end - 2; index >= 0 && row.test(parts[index]!); index -= 2) {
      // Only the last line of a key is short.
      if (index < end - 2 && row.exec(parts[index]!)![2]!.length < leastMaterial) return;
      coverRow(index);
    }
  }
  return parts.map((part, index) => covered.get(index) ?? part).join("");
}

const keyMark = /PRIVATE KEY(?: BLOCK)?-----|Private-Lines: /;
const firstMark = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|\bPrivate-Lines: (\d{1,4})/;
const lastMark = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;

/**
 * A line of base64, with the characters around it in a diff, a comment, a quotation, or a literal
 * that is joined to others.
 */
const row = /^([\s"'`+=,.;()#*/|>&\\-]{0,80}?)([A-Za-z0-9+/]{4,4096}={0,2})([\s"'`+,.;()|&\\-]{0,80})$/;

/** Base64 beside a mark, on its line. */
const material = /[A-Za-z0-9+/=]{24,}/g;
/** The least length of a key's lines but the last, in characters. */
const leastMaterial = 24;

/** Whether a line of a key's armour is none of the key: empty, or a header. */
function isBetweenRows(part: string): boolean {
  return /^[\s"'`+,.;()#*/|>&\\-]{0,80}$|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ?/.test(part);
}
