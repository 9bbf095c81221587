import { readFileSync } from "node:fs";
import { openSyntax } from "../../src/syntax/node/index.ts";
import type { Bar } from "../bar.ts";
import { percentile } from "../percentile.ts";

/**
 * What checking a file's syntax costs, in milliseconds of processor time for 1,000 lines: the
 * median of 21 checks behind five.
 */
export async function syntaxBar(): Promise<Bar> {
  const uri = "src/model/builtin/evidence.ts";
  const text = readFileSync(new URL(`../../${uri}`, import.meta.url), "utf8");
  const lines = text.split("\n").length;
  const syntax = openSyntax();
  const times: number[] = [];
  for (let i = -5; i < 21; i++) {
    const before = process.cpuUsage();
    await syntax.syntaxErrors({ uri, language: "typescript", text });
    const { user, system } = process.cpuUsage(before);
    if (i >= 0) times.push(((user + system) / 1000) * (1000 / lines));
  }
  syntax[Symbol.dispose]();
  return { name: "syntax of 1,000 lines of TypeScript, ms", value: percentile(times, 0.5), bar: 2, sense: "at-most" };
}
