import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { closing } from "../syntax/node/fixtures/closing.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { Scene } from "./fixtures/scene.ts";

const syntax = openSyntax();
beforeAll(() => syntax.load("typescript"));
afterAll(() => syntax[Symbol.dispose]());

const wide = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

// What takes longer than the length of a line allows would not end within a test's time.
test.each([
  ["words before", `const a = "${wide("ab", 1_900_000)}|"\n`],
  ["blanks before", `const a =${wide(" ", 1_900_000)}|\n`],
  ["blanks behind", `const a = |${wide(" ", 1_900_000)}\n`],
  ["blanks and a word behind", `const a = |${wide(" ", 1_900_000)}b;\n`],
  ["closers behind", `const a = |${wide(")", 50_000)}\n`],
  ["a blank line below", `const a = |\n${wide(" ", 1_900_000)}\nb();\n`],
  ["a blank line above", `${wide(" ", 1_900_000)}\nconst a = |\n`],
  ["data before", `const a = [${wide("1, ", 300_000)}|];\n`],
  ["a wide line above", `const a = "${wide("a b ", 1_900_000)}";\nconst b = |\n`],
])("a wide line: %s", { timeout: 20_000 }, async (_, text) => {
  const pieces = ["b ", "+ ", ...Array.from({ length: 60 }, () => "c + "), "d;", "\n", "e();\n"];
  const scene = closing(new Scene({ text, syntax, models: { remote: () => pieces } }));
  void scene.ask({ trigger: "invoked" });
  await scene.pass(1000);
  // The syntax of long texts is read by another process, which takes real time.
  const isOver = () => expect(scene.transcript.at(-1)).toMatch(/ (?:silent|model): /);
  await vi.waitFor(isOver, { timeout: 15_000 });
});
