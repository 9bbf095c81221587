import { repairBoundaries } from "../../src/edit/boundaries/repair-boundaries.ts";
import { newErrorCounter } from "../../src/edit/boundaries/splice-checker.ts";
import { fileLines } from "../../src/formats/index.ts";
import { EditedSyntaxErrors, type Syntax } from "../../src/syntax/index.ts";
import { percentile } from "../percentile.ts";

/**
 * What the repair of a swallowed brace takes in a made TypeScript file of a thousand lines:
 * processor time, the median.
 */
export async function longFileMs(syntax: Syntax): Promise<number> {
  const before = Array.from({ length: 125 }, (_, i) => functionText(i)).join("");
  const lines = fileLines(before);
  const edit = { path: "made.ts", language: "typescript", text: before };
  const end = lines.indexOf("}", lines.length / 2);
  const fresh = ["  for (const name of names) {", "    if (name === value) return name.length;", "  }", "  return -1;"];
  const splice = { start: end - 5, end: end + 1, lines: fresh };
  const times: number[] = [];
  for (let run = 0; run < 30; run++) {
    using errors = await EditedSyntaxErrors.open(syntax, { ...edit, uri: edit.path });
    const start = process.cpuUsage();
    await repairBoundaries({ ...edit, splices: [splice] }, newErrorCounter(before, errors));
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return percentile(times, 0.5);
}

function functionText(index: number): string {
  return `export function find${index}(names: readonly string[], value: string): number {
  for (let i = ${index}; i < names.length; i++) {
    const name = names[i]!;
    if (name.startsWith(value)) return i * ${index % 7};
  }
  return -${index};
}

`;
}
