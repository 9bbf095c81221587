import { withoutThoughts } from "../formats/index.ts";
import type { Attempt } from "./attempt.ts";

const maxRows = 4;
const maxCharacters = 160;

/** How an answer begins that holds no edit, for people: its first rows that say something, shortened. */
export function firstRows(answer: string): readonly string[] {
  const rows = withoutThoughts(answer)
    .split(/\r?\n/)
    .filter((row) => row.trim() !== "");
  const shown = rows
    .slice(0, maxRows)
    .map((row) => (row.length > maxCharacters ? `${row.slice(0, maxCharacters).trimEnd()}…` : row.trimEnd()));
  return rows.length > maxRows ? [...shown, "…"] : shown;
}

/** The attempt, with how its answer begins where that holds no edit. */
export function withWords(attempt: Attempt, answer: string): Attempt {
  const said = attempt.refusals.some(({ kind }) => kind === "no-edits") ? firstRows(answer) : [];
  return said.length === 0 ? attempt : { ...attempt, said };
}
