import { expect, test } from "vitest";
import { tryIndentChange } from "./indent-change.ts";

// A tab is written `>`, a blank `.`.

const cases: readonly (readonly [pairs: string, asked: string, answer: string | undefined])[] = [
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

for (const [pairs, asked, answer] of cases) {
  test(`${pairs} makes ${asked} ${answer}`, () => {
    const read = pairs === "" ? [] : pairs.split(" ").map((pair) => pair.split("=").map(blanks) as [string, string]);
    expect(tryIndentChange(read)?.(blanks(asked))).toBe(answer === undefined ? undefined : blanks(answer));
  });
}

function blanks(text: string): string {
  return text.replaceAll(".", " ").replaceAll(">", "\t");
}
