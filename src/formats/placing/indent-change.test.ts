import { expect, test } from "vitest";
import { tryIndentChange } from "./indent-change.ts";

// A tab is written `>`, a blank `.`.

const cases: readonly (readonly [pairs: string, indent: string, answer: string | undefined])[] = [
  ["", "..", ".."],
  ["..=..", "....", "...."],
  ["=..", "..", "...."],
  ["=.. ..=....", "", ".."],
  ["..= ....=..", "......", "...."],
  ["..= ....=..", "", undefined],
  [".=..", "..", "..."],
  ["..=>", "....", ">>"],
  ["..=>", "...", undefined],
  ["=> ..=>>", "....", ">>>"],
  ["..=.... ....=........", "......", "............"],
  ["..=.... ....=........", "", ""],
  ["..= =..", "..", undefined],
  [">=....", ">>", "........"],
  ["..=> .=>", "..", ">"],
  ["..=> .=>", "...", undefined],
  ["..=> >=>", ">>", ">>"],
  ["..=> ..=>>", "..", undefined],
  [">=", ">>", ">"],
  // Found by `bench:formats:differential`: a single row with a superfluous blank removed one from
  // new lines.
  [".....=.... ....=....", "......", "......"],
  [".= =", "..", ".."],
  ["= .= =", "..", ".."],
  [".....=.... ....=....", ".....", "...."],
  ["..=.. .........=........ ....=....", "............", "............"],
  ["= ..=.... .....=........", "....", "......"],
];

for (const [pairs, indent, answer] of cases) {
  test(`an indent change by ${pairs} makes ${indent} ${answer}`, () => {
    const read = pairs === "" ? [] : pairs.split(" ").map((pair) => pair.split("=").map(blanks) as [string, string]);
    expect(tryIndentChange(read)?.(blanks(indent))).toBe(answer === undefined ? undefined : blanks(answer));
  });
}

function blanks(text: string): string {
  return text.replaceAll(".", " ").replaceAll(">", "\t");
}
