/**
 * The beginnings of `text` without those last lines that stand right below the place already, the
 * shortest first; an empty list where no last line does.
 *
 * `text` is what goes behind `lineBefore`, with `\n`; `below` what follows the cursor's line. Blank
 * lines do not count. A line counts as below if it is the same with its indentation; one that only
 * closes something may be indented otherwise. Each beginning ends with a line, without its ending;
 * one is empty where all of the text is below.
 */
export function withoutFollowingLines(text: string, lineBefore: string, below: string): string[] {
  const lines = text.split("\n");
  const whole = lines.map((line, index) => (index === 0 ? lineBefore + line : line).trimEnd());
  const written = whole.map((line, index) => ({ line, index })).filter(({ line }) => line !== "");
  const followers = firstLines(below, written.length);
  const found: string[] = [];
  for (let count = Math.min(written.length, followers.length); count > 0; count--) {
    const last = written.slice(-count);
    if (!last.every(({ line }, index) => isSameLine(line, followers[index]!))) continue;
    const from = last[0]!.index;
    // A line that was begun before the cursor cannot be taken away.
    if (from === 0 && lineBefore.trim() !== "") continue;
    found.push(lines.slice(0, from).join("\n").trimEnd());
  }
  return found;
}

/**
 * Whether all of `text` is below the place already, and is more than closers, which a text may well
 * need twice. `false` for a blank text. The parameters are those of {@link withoutFollowingLines}.
 */
export function repeatsBelow(text: string, lineBefore: string, below: string): boolean {
  if (text.split("\n").every((line) => line.trim() === "" || onlyCloses.test(line))) return false;
  return withoutFollowingLines(text, lineBefore, below)[0] === "";
}

function isSameLine(one: string, other: string): boolean {
  return one === other || (onlyCloses.test(one) && one.trim() === other.trim());
}

const onlyCloses = /^\s*(?:[)\]}>;,]+|<\/[\w.:-]*>|end|fi|done|esac)[;,]?$/;

/** The first lines of a text that are not blank, without white space behind; at most `count`. */
function firstLines(text: string, count: number): string[] {
  const lines: string[] = [];
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (line.trim() !== "" && lines.push(line.trimEnd()) >= count) break;
  }
  return lines;
}
