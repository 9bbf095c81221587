import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { printFinding } from "./finding.ts";
import { type VerifierFormatName, verifierFormat } from "./verifier-format.ts";
import type { VerifierReading } from "./verifier-reading.ts";

/**
 * Outputs of tools and the findings in them. `FORMAT.what-it-shows.txt` contains an output (`\e` is
 * the character Escape) and, below a rule, one line for each finding, then the unread lines.
 *
 * UPDATE_OUTPUTS=1 writes the actual results; review the difference.
 */
const folder = new URL("./fixtures/outputs/", import.meta.url);

const rule = "-------- findings\n";

function print({ findings, unread, isCut }: VerifierReading): string {
  const parts = [findings.map(printFinding), unread.length > 0 ? ["-------- unread", ...unread] : []];
  return [...parts.flat(), ...(isCut ? ["-------- the output is cut"] : []), ""].join("\n").replaceAll("\u001b", "\\e");
}

describe.each(readdirSync(folder))("%s", (name) => {
  const format = verifierFormat(name.slice(0, name.indexOf(".")) as VerifierFormatName);
  const source = readFileSync(new URL(name, folder), "utf8");
  const output = source.slice(0, source.indexOf(rule)).replaceAll("\\e", "\u001b");
  const is = print(format.read(output));

  test("gives the recorded findings", () => {
    const whole = source.slice(0, source.indexOf(rule) + rule.length) + is;
    if (process.env["UPDATE_OUTPUTS"] === "1") writeFileSync(new URL(name, folder), whole);
    expect(whole).toBe(readFileSync(new URL(name, folder), "utf8"));
  });

  test("gives the same findings with \\r\\n", () => {
    expect(print(format.read(output.replaceAll("\n", "\r\n")))).toBe(is);
  });

  test("gives the same findings without its last line break and with blank lines around", () => {
    expect(print(format.read(output.trimEnd()))).toBe(is);
    expect(print(format.read(`\n\n${output}\n\n`))).toBe(is);
  });

  const isText = !/^\s*[[{<]/m.test(output);
  test.runIf(isText && !output.includes("\u001b"))("gives the same findings with colours", () => {
    const colourful = output.replace(/[^\s[\];]+(?=[\s:])/g, (word) => `\u001b[1;31m${word}\u001b[0m`);
    expect(print(format.read(colourful))).toBe(is);
  });

  test("throws no exception wherever it is cut", () => {
    for (let end = 0; end < output.length; end += Math.ceil(output.length / 150)) format.read(output.slice(0, end));
  });
});
