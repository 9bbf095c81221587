import { addToGroup, codePointName } from "../../text/index.ts";
import type { EditOperation } from "../edit-operation.ts";
import { isProseFile } from "../reading/reads-as-words.ts";
import { oddCharacters, withFoldedBlanks } from "./line-keys.ts";
import type { LineTable } from "./line-table.ts";
import { type OperationNormalization, type OperationOutcome, refused } from "./operation-outcome.ts";
import type { LineSplice } from "./placement.ts";

/** A resolved operation and its file. */
export interface PlacedLines {
  readonly operation: EditOperation;
  readonly path: string;
  /** Its changes of whole lines of the file as shown to the model. */
  readonly splices: readonly LineSplice[];
  readonly snapshot: LineTable;
}

/**
 * Reports new lines that may be damaged: they contain characters typical of copying that the file
 * does not have, or change little but white space. Empty where there are none.
 *
 * Nothing is repaired, since the instruction may require it. White space is reported from
 * five lines on, and neither for a new file nor for an operation that quotes its old lines.
 */
export function doubtfulLines({ operation, path, splices, snapshot }: PlacedLines): readonly OperationNormalization[] {
  const found: OperationNormalization[] = [];
  const fresh = splices.flatMap(({ lines }) => lines).join("\n");
  const strange = marks
    .filter(({ isForProse }) => isForProse || !isProseFile(path))
    .filter(({ endings, pattern }) => !endings.test(path) && pattern.test(fresh))
    .filter(({ pattern }) => !pattern.test(snapshot.source));
  for (const { kind, what } of strange) {
    found.push({ kind, message: `New lines have ${what}, which the file has none of. They were kept.` });
  }
  // A block quotes its old lines itself, and a new file has none.
  if (operation.kind === "block" || operation.kind === "string" || snapshot.count === 0) return found;
  const { changed, blanks, lines } = whiteSpaceIn(splices, snapshot);
  if (lines >= few && 2 * lines >= changed) {
    found.push({ kind: "white-space", message: `${lines} lines change in white space alone.` });
  }
  if (blanks >= few && blanks >= changed) {
    found.push({ kind: "blank-lines", message: `${blanks} blank lines come or go, beside ${changed} other lines.` });
  }
  return found;
}

/** From this number of lines on, changes of white space are reported. */
const few = 5;

interface Marks {
  readonly kind: "typography" | "escapes";
  readonly what: string;
  readonly pattern: RegExp;
  /** Whether the characters are suspicious in prose as well. */
  readonly isForProse: boolean;
  /** Matches the files in which they are normal. */
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

/**
 * Counts changed lines, and lines and blank lines that differ in white space only; none if all
 * lines move by the same indentation.
 */
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
      else addToGroup(old, withFoldedBlanks(line), line);
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
  // Lines that all move in or out by the same amount have changed their block.
  if (shifts.size === 1 && !shifts.has(undefined)) lines = 0;
  for (const left of old.values()) changed += left.length;
  return { changed, lines, blanks: Math.abs(blanks) };
}

/** The added or removed indentation of a line, if nothing else differs; `undefined` otherwise. */
function shiftOf(was: string, line: string): string | undefined {
  if (line.endsWith(was)) return `+${line.slice(0, line.length - was.length)}`;
  return was.endsWith(line) ? `-${was.slice(0, was.length - line.length)}` : undefined;
}

/**
 * Refuses new texts with a control character, other than tab, LF and CR, that `file` does not
 * contain; the refusal is about the first one. `undefined` where there is none.
 */
export function refuseControlCharacters(
  written: readonly string[],
  file: { readonly text: string },
): OperationOutcome | undefined {
  for (const text of written) {
    for (const [found] of text.matchAll(controlCharacters)) {
      if (file.text.includes(found)) continue;
      const letter = jsonEscapes[found];
      const hint = letter === undefined ? "" : ` In JSON a backslash is written twice: "\\\\${letter}".`;
      return refused(
        "control-character",
        `The new text has the control character ${codePointName(found)}, which the file does not have.${hint}`,
      );
    }
  }
  return undefined;
}

/**
 * The lines that an operation writes, or its text as a single item; empty for an operation that
 * writes none.
 */
export function writtenBy(operation: EditOperation): readonly string[] {
  if (operation.kind === "block" || operation.kind === "string") return [operation.replace].flat();
  return "lines" in operation ? operation.lines : [];
}

const controlCharacters = /(?![\t\n\r])\p{Cc}/gu;

const jsonEscapes: Readonly<Record<string, string>> = { "\b": "b", "\f": "f" };
