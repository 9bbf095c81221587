import { type EditOperation, resolveOperations } from "../../src/formats/index.ts";
import type { Bar } from "../bar.ts";
import { percentile } from "../percentile.ts";

const path = "big.ts";
const lineCount = 100_000;

/**
 * What placing costs in a file of 100,000 lines, in milliseconds of processor time: the median of
 * seven calls behind a first one.
 */
export function placingBars(): readonly Bar[] {
  const lines = Array.from(
    { length: lineCount },
    (_, i) => `${"  ".repeat(i % 5)}const value${i} = compute(${i % 97});`,
  );
  const files = new Map([[path, `${lines.join("\n")}\n`]]);
  const thousand = Array.from({ length: 1_000 }, (_, i): EditOperation => {
    const start = i * 100;
    const anchors = [{ line: start, opening: `const value${start} =` }];
    return { kind: "lines", row: i, path, start, end: start + 1, lines: [`let value${start};`, "next();"], anchors };
  });
  const block = (search: readonly string[], replace: readonly string[]): EditOperation => {
    return { kind: "block", row: 0, path, search, replace };
  };
  const blocks = thousand.map(({ row }): EditOperation => {
    const search = lines.slice(row * 100, row * 100 + 7);
    return { kind: "block", row, path, search, replace: search.with(3, "next();") };
  });
  const last = lines.slice(-20);
  const alike = Array.from({ length: lineCount }, () => "}");
  const repeated = new Map([[path, `${alike.join("\n")}\nend\n`]]);
  return [
    bar("1,000 edits by line number, ms", () => resolveOperations(thousand, files), 50),
    bar("1,000 blocks as they stand, ms", () => resolveOperations(blocks, files), 500),
    bar("a block as it stands, ms", () => resolveOperations([block(last, [...last, "end();"])], files), 50),
    bar(
      "a block that is indented otherwise, ms",
      () =>
        resolveOperations(
          [
            block(
              last.map((line) => `  ${line}`),
              ["end();"],
            ),
          ],
          files,
        ),
      250,
    ),
    bar(
      "a block that is not there, ms",
      () => resolveOperations([block([...last, "end();"], ["end();"])], files),
      2_000,
    ),
    bar(
      "5,000 equal lines in 100,000 equal lines, ms",
      () => resolveOperations([block([...alike.slice(0, 5_000), "end"], ["end"])], repeated),
      100,
    ),
  ];
}

function bar(name: string, act: () => unknown, limit: number): Bar {
  act();
  const times = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return { name, value: percentile(times, 0.5), bar: limit, sense: "at-most" };
}
