import {
  closesFence,
  type Fence,
  type Lenience,
  type LenienceKind,
  type Refusal,
  type RefusalKind,
  tryReadFence,
  withoutThoughts,
} from "../formats/index.ts";

/** The lines that a model wrote for a block, or why they cannot be taken. */
export type MendedLines =
  | { readonly kind: "lines"; readonly lines: readonly string[]; readonly leniences: readonly Lenience[] }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/**
 * Reads an answer that writes a block anew: the rows in its one fence.
 *
 * Words around the fence are left out. Numbers that were copied from the display are taken off, and a block that is
 * written with less indentation as a whole gets it back; both is told. Never throws. What has no fence, several, or one
 * that is not closed is refused, since any of it could be a part.
 */
export function readMended(answer: string, path: string, block: readonly string[], isCut: boolean): MendedLines {
  const refuse = (kind: RefusalKind, message: string): MendedLines => ({
    kind: "refused",
    refusal: { kind, message, row: undefined, path },
  });
  if (isCut) return refuse("cut-off", "The answer was cut off before its end.");
  const rows = withoutThoughts(answer).split(/\r?\n/);
  const fences = rows.flatMap((row, index) => {
    const fence = tryReadFence(row);
    return fence === undefined ? [] : [{ fence, index }];
  });
  const opening = fences[0];
  if (opening === undefined) return refuse("no-edits", "The answer holds no fence with the lines.");
  const ends = fences.slice(1).filter(({ fence }) => closesFence(fence, opening.fence));
  if (ends.length === 0) return refuse("cut-off", "The fence of the answer is not closed.");
  // A longer fence than needed holds shorter ones as code; more than one that could close it leaves the end unsure.
  if (ends.length > 1 || opensAnother(fences.slice(1), ends[0]!.index)) {
    return refuse(
      "unreadable-row",
      "The answer holds more than one fence, so that nobody can tell which one is meant.",
    );
  }
  const written = rows.slice(opening.index + 1, ends[0]!.index);
  const leniences: Lenience[] = [];
  const allow = (kind: LenienceKind, message: string) => void leniences.push({ kind, message, row: undefined, path });
  const lines = withoutPrefixes(written) ?? written;
  if (lines !== written)
    allow("display-prefix", "The mended lines were written with the numbers of the display; they lost them.");
  const indented = indentedAs(block, lines);
  if (indented === undefined) return { kind: "lines", lines, leniences };
  allow("indentation", "Mended lines were written without the indentation of their place; they got it back.");
  return { kind: "lines", lines: indented, leniences };
}

/** The lines without the marks and numbers of a code frame, if all of them have some. */
function withoutPrefixes(lines: readonly string[]): readonly string[] | undefined {
  const bare = lines.map((line) => /^[+ ] +\d+ \|(?: (.*))?$/.exec(line));
  return bare.length > 0 && bare.every((found) => found !== null) ? bare.map((found) => found[1] ?? "") : undefined;
}

function opensAnother(fences: readonly { readonly fence: Fence; readonly index: number }[], end: number): boolean {
  return fences.some(({ index }) => index > end);
}

/**
 * The lines with the indentation that they lack, where the first one begins as the block does but for that.
 *
 * Models leave it out of all lines, or of the first one alone: lines that are found in the block again tell which.
 */
function indentedAs(block: readonly string[], lines: readonly string[]): readonly string[] | undefined {
  const first = lines.findIndex((line) => line.trim() !== "");
  const missing = missingIn(
    lines[first],
    block.find((line) => line.trim() !== ""),
  );
  if (!missing) return undefined;
  const others = lines.slice(first + 1).filter((line) => line.trim() !== "");
  const count = (has: (line: string) => boolean) => others.filter(has).length;
  const isAlone =
    count((line) => block.includes(line)) > count((line) => !block.includes(line) && block.includes(missing + line));
  return lines.map((line, i) => (line === "" || (isAlone && i !== first) ? line : missing + line));
}

/** What stands in front of a line and is missing in one that reads the same otherwise; `undefined` if they do not. */
function missingIn(is: string | undefined, was: string | undefined): string | undefined {
  if (is === undefined || was === undefined || is.trim() !== was.trim()) return undefined;
  const [wasIndented, isIndented] = [indentation(was), indentation(is)];
  return wasIndented.endsWith(isIndented) ? wasIndented.slice(0, wasIndented.length - isIndented.length) : undefined;
}

function indentation(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}
