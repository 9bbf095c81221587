import type { Ask } from "./ask.ts";
import type { AskLenience } from "./ask-outcome.ts";
import { oddCharacters, withFoldedBlanks } from "./line-keys.ts";
import type { LineTable } from "./line-table.ts";
import type { LineSplice } from "./placement.ts";
import { isProseFile } from "./prose-file.ts";

/** An ask that was placed, and the file that it speaks of. */
export interface PlacedLines {
  readonly ask: Ask;
  readonly path: string;
  /** What it does to whole lines of the file as it was shown. */
  readonly splices: readonly LineSplice[];
  readonly snapshot: LineTable;
}

/**
 * What is to be told of new lines that may have been spoilt on their way: they have characters that the file has none of
 * and that copying puts in, or change next to nothing but white space.
 *
 * Nothing is mended: a model may have been asked for just this.
 */
export function doubtfulLines({ ask, path, splices, snapshot }: PlacedLines): readonly AskLenience[] {
  const told: AskLenience[] = [];
  const fresh = splices.flatMap(({ lines }) => lines).join("\n");
  const strange = marks
    .filter(({ isForProse }) => isForProse || !isProseFile(path))
    .filter(({ endings, pattern }) => !endings.test(path) && pattern.test(fresh))
    .filter(({ pattern }) => !pattern.test(snapshot.source));
  for (const { kind, what } of strange) {
    told.push({ kind, message: `New lines have ${what}, which the file has none of. They were kept.` });
  }
  // A block says itself what its lines were, and a new file had none.
  if (ask.kind === "block" || ask.kind === "string" || snapshot.count === 0) return told;
  const { changed, blanks, lines } = whiteSpaceIn(splices, snapshot);
  if (lines >= few && 2 * lines >= changed) {
    told.push({ kind: "white-space", message: `${lines} lines change in white space alone.` });
  }
  if (blanks >= few && blanks >= changed) {
    told.push({ kind: "blank-lines", message: `${blanks} blank lines come or go, beside ${changed} other lines.` });
  }
  return told;
}

/** From how many lines on changes of white space are told. */
const few = 5;

interface Marks {
  readonly kind: "typography" | "escapes";
  readonly what: string;
  readonly pattern: RegExp;
  /** Whether they are strange in text for people too. */
  readonly isForProse: boolean;
  /** The files in which they are nothing strange. */
  readonly endings: RegExp;
}

const noFile = /^$/;
const [singles, doubles, , blanks] = oddCharacters.map(([odd]) => odd.source);

const marks: readonly Marks[] = [
  {
    ...{ kind: "typography", what: "characters that cannot be seen", isForProse: true, endings: noFile },
    pattern: /[\u200b\u2060\ufeff]/,
  },
  {
    ...{ kind: "typography", what: "blanks of an odd kind", isForProse: true, endings: noFile },
    pattern: new RegExp(blanks!),
  },
  {
    ...{ kind: "typography", what: "curly quotes", isForProse: false, endings: noFile },
    pattern: new RegExp(`${singles}|${doubles}`),
  },
  {
    ...{ kind: "escapes", what: "character references such as `&lt;`", isForProse: false },
    endings: /\.(?:x?html?|xml|svg|vue|svelte|astro|[jt]sx|erb|hbs|jinja2?|twig|php)$/i,
    pattern: /&(?:lt|gt|amp|quot|apos|#39|#x27|nbsp);/i,
  },
];

/** How many lines change, and how many lines and blank lines differ in white space alone; none that move together. */
function whiteSpaceIn(
  splices: readonly LineSplice[],
  snapshot: LineTable,
): { readonly changed: number; readonly lines: number; readonly blanks: number } {
  const old = new Map<string, string[]>();
  const shifts = new Set<string | undefined>();
  let [changed, lines, blanks] = [0, 0, 0];
  const isBlank = (line: string) => line.trim() === "";
  for (const { start, end } of splices) {
    for (let i = start; i < end; i++) {
      const line = snapshot.text(i);
      if (isBlank(line)) blanks--;
      else old.set(withFoldedBlanks(line), [...(old.get(withFoldedBlanks(line)) ?? []), line]);
    }
  }
  for (const line of splices.flatMap((splice) => splice.lines)) {
    if (isBlank(line)) blanks++;
    else {
      const same = old.get(withFoldedBlanks(line));
      const was = same?.shift();
      if (was === undefined) changed++;
      else if (was !== line) {
        lines++;
        shifts.add(shiftOf(was, line));
      }
    }
  }
  // Lines that all move by so much in or out are in another block than before.
  if (shifts.size === 1 && !shifts.has(undefined)) lines = 0;
  for (const left of old.values()) changed += left.length;
  return { changed, lines, blanks: Math.abs(blanks) };
}

/** By how much a line is indented more or less, if that is all. */
function shiftOf(was: string, line: string): string | undefined {
  if (line.endsWith(was)) return `+${line.slice(0, line.length - was.length)}`;
  return was.endsWith(line) ? `-${was.slice(0, was.length - line.length)}` : undefined;
}
