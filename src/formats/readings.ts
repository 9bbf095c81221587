import type { LenienceKind } from "./refusal.ts";

/** Another way to read the lines of an ask: something was put on them that does not belong to the code. */
export interface Reading {
  readonly kind: LenienceKind;
  /** What was put on, for people. */
  readonly what: string;
  /** The lines without it, or `undefined` where nothing of the kind is there. */
  read(lines: readonly string[]): readonly string[] | undefined;
}

/** The readings that are tried, one at a time, where lines are not in the file as they are written. */
export const readings: readonly Reading[] = [
  {
    kind: "escapes",
    what: "character references such as &lt;",
    read: changed((line) =>
      line.replace(/&(lt|gt|amp|quot|apos|#39|#x27|nbsp);/gi, (_, name) => references[name.toLowerCase()]!),
    ),
  },
  {
    kind: "escapes",
    what: "line breaks and tabs written as \\n and \\t",
    read(lines) {
      const text = lines.join("\n");
      if (!/\\[nt]/.test(text)) return undefined;
      return text.replace(/\\([nt"'\\])/g, (_, letter) => written[letter] ?? letter).split("\n");
    },
  },
  { kind: "escapes", what: "doubled backslashes", read: changed((line) => line.replaceAll("\\\\", "\\")) },
  { kind: "display-prefix", what: "line numbers", read: (lines) => withoutNumbers(lines, /^ *\d+[:|] ?/) },
  { kind: "display-prefix", what: "line numbers", read: (lines) => withoutNumbers(lines, /^ *\d+(?:\t|[:|]| [|│] ?)/) },
];

const references: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  "#39": "'",
  "#x27": "'",
  nbsp: " ",
};

const written: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

function changed(read: (line: string) => string): Reading["read"] {
  return (lines) => {
    const after = lines.map(read);
    return after.some((line, i) => line !== lines[i]) ? after : undefined;
  };
}

/** The lines without the numbers in front, where most have one; new lines among them may have none. */
function withoutNumbers(lines: readonly string[], prefix: RegExp): readonly string[] | undefined {
  return lines.some((line) => prefix.test(line)) ? lines.map((line) => line.replace(prefix, "")) : undefined;
}
