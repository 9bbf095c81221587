import { withoutReasoning } from "../formats/index.ts";
import type { Attempt } from "./attempt.ts";

const maxRows = 4;
const maxCharacters = 160;

/**
 * The first rows of an answer without edits, for people: at most four that are not blank,
 * shortened; without reasoning.
 */
export function firstRows(answer: string): readonly string[] {
  const rows = withoutReasoning(answer)
    .split(/\r?\n/)
    .filter((row) => row.trim() !== "");
  const shown = rows
    .slice(0, maxRows)
    .map((row) => (row.length > maxCharacters ? `${row.slice(0, maxCharacters).trimEnd()}…` : row.trimEnd()));
  return rows.length > maxRows ? [...shown, "…"] : shown;
}

/**
 * Adds the first rows of the answer to an attempt that was refused because the answer contains no
 * edit.
 */
export function withFirstRows(attempt: Attempt, answer: string): Attempt {
  const openingRows = attempt.refusals.some(({ kind }) => kind === "no-edits") ? firstRows(answer) : [];
  return openingRows.length === 0 ? attempt : { ...attempt, openingRows };
}
