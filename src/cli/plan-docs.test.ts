import { describe, expect, onTestFinished, test } from "vitest";
import { serveChat } from "../model/node/fixtures/scripted-chat-server.ts";
import { DocsPage, wordsOf } from "./fixtures/docs-page.ts";
import { Shop, shop, showWithRate, withRate } from "./fixtures/plan-shop.ts";

const page = new DocsPage("docs/plan.md");

/** The commands of the page that are about one repository. */
const commands = page.commands.filter((line) => line.startsWith("emend plan") && !line.includes("--fleet"));

/** A shop on a branch that changed a signature, and with a file that is not committed. */
async function branchedShop(): Promise<Shop> {
  const price = `${"// What things cost.\n".repeat(10)}${withRate}`;
  const work = new Shop({
    ...shop,
    "tsc.log": "src/show.ts(5,33): error TS2554: Expected 1 arguments, but got 2.\n",
    "answer.md": `\`\`\`ts\n${showWithRate.slice(showWithRate.indexOf("export"))}\`\`\`\n`,
  });
  work.git("checkout", "--quiet", "-b", "feature");
  work.git("config", "user.name", "Somebody");
  work.git("config", "user.email", "somebody@example.org");
  work.commit({ "src/price.ts": price });
  work.write({ "src/more.ts": "export const more = 1;\n" });
  return work;
}

describe("each command on the page works", () => {
  test.each(commands)("%s", async (line) => {
    const work = await branchedShop();
    const needsPlan = /plan (show|answer)/.test(line);
    const planned = needsPlan ? (await work.run(["plan", "--seed", "main...", "--dry-run"])).exitCode : undefined;
    expect(planned).toBe(needsPlan ? 12 : undefined);
    const server = await serveChat("openai", { deltas: ["No changes."] });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const [, ...args] = wordsOf(line).map((word) =>
      word
        .replace(/^ollama:.*$/, `openai-compatible:${server.url}#scripted`)
        // What these programs find is theirs.
        .replace(/^npx (tsc|vitest).*$/, "exit:true"),
    );
    const { exitCode, out, err } = await work.run(args);
    expect([0, 8, 12], err).toContain(exitCode);
    expect(out.includes("in one fence")).toBe(args.includes("--prompt"));
    expect(work.git("for-each-ref", "--format=%(subject)", "refs/heads/cents")).toBe(
      args.includes("--branch") ? "Propagate a change\n" : "",
    );
    expect(server.calls.length > 0).toBe(args.includes("--model"));
  });
});

test("each command named in the text exists", async () => {
  const named = new Set(
    [...page.text.matchAll(/`emend (plan(?: [a-z]+)?)((?: --[a-z-]+)*)/g)].map(
      ([, command, flags]) => `${command}${flags}`,
    ),
  );
  expect(named.size).toBeGreaterThan(5);
  for (const one of named) {
    const [, command = "", ...flags] = one.split(" ");
    const path = command.startsWith("--") ? [] : [command];
    const { out } = await new Shop({}).run(["plan", ...path, "--help"]);
    for (const flag of flags) expect(out, one).toContain(` ${flag} `);
    expect(out).toContain(["Usage: emend plan", ...path].join(" ").trimEnd());
  }
});
