import stringWidth from "string-width";
import { printable } from "./terminal.ts";

/** A row that fits in the terminal. */
export interface ClippedRow {
  readonly text: string;
  /** In columns. */
  readonly width: number;
}

/**
 * As much of a row as fits in `columns`, with all its colour sequences. It is cut between
 * graphemes: what a person sees as one character is several code points in an emoji or in
 * Devanagari.
 */
export function clipRow(row: string, columns: number): ClippedRow {
  let width = 0;
  let text = "";
  let isFull = false;
  for (const [index, part] of row.replaceAll("\t", "    ").split(colourSequence).entries()) {
    if (index % 2 === 1) text += part;
    else if (isFull) continue;
    else {
      for (const { segment } of graphemes.segment(part)) {
        const shown = printable(segment);
        const wide = stringWidth(shown);
        isFull = width + wide > columns;
        if (isFull) break;
        text += shown;
        width += wide;
      }
    }
  }
  return { text, width };
}

const graphemes = new Intl.Segmenter();
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const colourSequence = /(\u001b\[\d+m)/;
