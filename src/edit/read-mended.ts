import {
  closesFence,
  type Fence,
  type Lenience,
  type LenienceKind,
  type Refusal,
  type RefusalKind,
  tryReadFence,
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
  const rows = answer.split(/\r?\n/);
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
  const missing = missingIndentation(block, lines);
  if (missing === "") return { kind: "lines", lines, leniences };
  allow("indentation", "The mended lines were written without the indentation of their place; they got it back.");
  return { kind: "lines", lines: lines.map((line) => (line === "" ? line : missing + line)), leniences };
}

/** The lines without the marks and numbers of a code frame, if all of them have some. */
function withoutPrefixes(lines: readonly string[]): readonly string[] | undefined {
  const bare = lines.map((line) => /^[+ ] +\d+ \|(?: (.*))?$/.exec(line));
  return bare.length > 0 && bare.every((found) => found !== null) ? bare.map((found) => found[1] ?? "") : undefined;
}

function opensAnother(fences: readonly { readonly fence: Fence; readonly index: number }[], end: number): boolean {
  return fences.some(({ index }) => index > end);
}

/** What all lines lack, where the first one of both begins alike but for its indentation. */
function missingIndentation(block: readonly string[], lines: readonly string[]): string {
  const was = block.find((line) => line.trim() !== "") ?? "";
  const is = lines.find((line) => line.trim() !== "") ?? "";
  const wasIndented = indentation(was);
  const isIndented = indentation(is);
  const isSame = was.trim() === is.trim() && wasIndented.endsWith(isIndented);
  return isSame ? wasIndented.slice(0, wasIndented.length - isIndented.length) : "";
}

function indentation(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}
