import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { serveChat } from "../model/node/fixtures/scripted-chat-server.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { hasPseudoTerminal, PseudoTerminal } from "./fixtures/pseudo-terminal.ts";
import { buildPackage } from "./fixtures/run-cli.ts";

let work: string;

beforeAll(buildPackage, 180_000);
beforeEach(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), "emend-live-")));
  mkdirSync(join(work, ".git"));
  writeFileSync(join(work, "a.ts"), source);
});
afterEach(() => removeFolder(work));

const source = Array.from({ length: 40 }, (_, i) => `call(${i + 1});\n`).join("");

/**
 * Recorded from a model, but for the pieces: two places, with a line that is wider than any
 * terminal here.
 */
const answer = [
  "@@ 3-5 call(3 | call(5\n",
  "first(3); // 引数を可変長にする。引数を可変長にする。引数を可変長にする。引数を可変長にする。\n",
  "second(4);\n",
  "third(5);\n",
  "fourth();\n",
  "@@ 30 call(30\n",
  "last(30);\n",
  "@@ end\n",
];

/** The words of the rows that are added; what is seen on the screen once their delta has come. */
const words = [undefined, "+first(3)", "+second(4)", "+third(5)", "+fourth()", undefined, "+last(30)", undefined];

test.skipIf(!hasPseudoTerminal).each([
  [24, 80],
  [12, 30],
  [8, 20],
])(
  "a terminal of %d rows and %d columns shows the change line by line, and is cleared afterwards",
  async (rows, columns) => {
    let terminal: PseudoTerminal | undefined;
    const deltas = answer.flatMap((row) => [row.slice(0, 4), row.slice(4)]);
    const pace = async (delta: number) => {
      // A delta is sent when the screen shows all rows before it.
      const expected = words.slice(0, delta >> 1).findLast((word) => word !== undefined);
      if (expected !== undefined) await terminal!.shows((lines) => lines.some((line) => line.startsWith(expected)));
    };
    const server = await serveChat("openai", { deltas, pace });
    onTestFinished(() => server[Symbol.asyncDispose]());
    terminal = edit({ rows, columns }, server.url);
    await terminal.shows((lines) => lines.some((line) => line.startsWith("Write this file?")));
    terminal.type("n\n");
    expect(await terminal.ended).toBe(8);
    const { lines } = terminal.screen;
    // Long rows of the diff are broken by the terminal; only where each begins is looked at.
    expect(lines[0]).toBe("diff --git a/a.ts b/a.ts".slice(0, columns));
    expect(lines.filter((line) => line.startsWith("+last(30)"))).toHaveLength(1);
    expect(lines.join("")).not.toContain("is answering");
    expect(lines.at(-1)).toMatch(/written\.$/);
    expect(readFileSync(join(work, "a.ts"), "utf8")).toBe(source);
  },
);

test.skipIf(!hasPseudoTerminal)("emend edit ignores keys typed before the question", async () => {
  let terminal: PseudoTerminal | undefined;
  const pace = async (delta: number) => {
    if (delta !== answer.length - 1) return;
    await terminal!.shows((lines) => lines.some((line) => line.startsWith("+first(3)")));
    terminal!.type("y\n");
    await terminal!.shows((lines) => lines.some((line) => line.startsWith("y")));
  };
  const server = await serveChat("openai", { deltas: answer, pace });
  onTestFinished(() => server[Symbol.asyncDispose]());
  terminal = edit({ rows: 24, columns: 80 }, server.url);
  await terminal.shows((lines) => lines.some((line) => line.startsWith("Write this file?")));
  terminal.type("n\n");
  expect(await terminal.ended).toBe(8);
  expect(readFileSync(join(work, "a.ts"), "utf8")).toBe(source);
});

/** Has the file edited by the model at `url`, in a terminal of this size. */
function edit(size: { readonly rows: number; readonly columns: number }, url: string): PseudoTerminal {
  const terminal = new PseudoTerminal(["edit", "a.ts", "-m", "x", "--model", `openai-compatible:${url}#m`], {
    ...{ folder: work, ...size },
    environment: { EMEND_STATE_DIR: join(work, "state"), XDG_CONFIG_HOME: join(work, "config"), NO_COLOR: "1" },
  });
  onTestFinished(() => terminal[Symbol.dispose]());
  return terminal;
}
