import type { NormalizationKind } from "../refusal.ts";

/**
 * Another way to read the lines of an operation, without something that does not belong to the
 * code.
 */
export interface Reading {
  readonly kind: NormalizationKind;
  /** The old lines without it; `undefined` where they do not have it. */
  read(lines: readonly string[]): readonly string[] | undefined;
  /** The new lines without it, where the old ones had it. */
  readNew(lines: readonly string[]): readonly string[];
}

/** The readings that are tried, one at a time, where lines are not in the file as written. */
export const readings: readonly Reading[] = [
  reading("escapes", (lines) =>
    lines.map((line) =>
      line.replace(/&(lt|gt|amp|quot|apos|#39|#x27|nbsp);/gi, (_, name) => references[name.toLowerCase()]!),
    ),
  ),
  reading("escapes", (lines) => {
    const text = lines.join("\n");
    if (!/\\[nt]/.test(text)) return lines;
    return text.replace(/\\([nt"'\\])/g, (_, letter) => written[letter] ?? letter).split("\n");
  }),
  reading("escapes", (lines) => lines.map((line) => line.replaceAll("\\\\", "\\"))),
  numbered(/^ *(\d+)[:|] ?/),
  numbered(/^ *(\d+)(?:\t|[:|]| [|│] ?)/),
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

/** A reading that treats all lines alike. */
function reading(kind: NormalizationKind, readNew: Reading["readNew"]): Reading {
  return {
    kind,
    readNew,
    read(lines) {
      const after = readNew(lines);
      return after.length !== lines.length || after.some((line, i) => line !== lines[i]) ? after : undefined;
    },
  };
}

/** A reading for old lines with consecutive numbers; new lines may have none. */
function numbered(prefix: RegExp): Reading {
  const readNew = (lines: readonly string[]) => lines.map((line) => line.replace(prefix, ""));
  return {
    kind: "display-prefix",
    readNew,
    read(lines) {
      const numbers = lines.map((line) => Number(prefix.exec(line)?.[1] ?? Number.NaN));
      return numbers.every((number, i) => number === numbers[0]! + i) ? readNew(lines) : undefined;
    },
  };
}
