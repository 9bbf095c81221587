import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { ServerWorkspace } from "../../src/cli/fixtures/server-workspace.ts";
import { canRun, canTest, debianPackage } from "../../src/text/node/fixtures/promised-tools.ts";
import { recipeOf } from "./fixtures/recipe.ts";

let work: ServerWorkspace;
beforeAll(buildPackage);
beforeEach(() => {
  work = new ServerWorkspace();
});
afterEach(() => work[Symbol.dispose]());

const hasEmacs = canTest({
  name: "Emacs",
  isInstalled: canRun("emacs", "--version"),
  install: debianPackage("emacs-nox"),
});

test.runIf(hasEmacs)("the recipe for Emacs shows ghost text, and accepts it by word and in whole", async () => {
  work.write("emend.el", recipeOf("emacs", "elisp"));
  const given = { recipe: join(work.root, "emend.el"), command: work.command, file: work.file, typed: work.typed };
  const script = fileURLToPath(new URL("./fixtures/drive-emacs.el", import.meta.url));
  const emacs = spawn("emacs", ["-Q", "--batch", "-l", script], {
    ...{ cwd: work.root, stdio: ["ignore", "pipe", "pipe"] },
    env: { ...work.environment, EMEND_TEST: JSON.stringify(given) },
  });
  let printed = "";
  for (const stream of [emacs.stdout, emacs.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  }
  await once(emacs, "close");
  const answer = /^ANSWER (.*)$/m.exec(printed)?.[1];
  const { seen, text } = (answer === undefined ? { seen: printed } : JSON.parse(answer)) as {
    readonly seen: readonly { readonly key: string; readonly command: string; readonly line: string }[];
    readonly text?: string;
  };
  expect(seen).toEqual([
    { key: "", command: "", line: "  return ite|" },
    { key: "", command: "", line: "  return ite[ms.at(0) ?? missing(items);]" },
    { key: "M-f", command: "emend-accept-word", line: "  return items[.at(0) ?? missing(items);]" },
    { key: "M-f", command: "emend-accept-word", line: "  return items.[at(0) ?? missing(items);]" },
    { key: "TAB", command: "emend-accept", line: "  return items.at(0) ?? missing(items);|" },
    // Without a suggestion the key has its usual meaning in Emacs.
    { key: "TAB", command: "indent-for-tab-command", line: expect.stringMatching(/missing\(items\);\s*\|$/) },
  ]);
  expect(text).toContain("return items.at(0) ?? missing(items);\n}\n");
});
