import { expect, test } from "vitest";
import { DocsPage } from "./fixtures/docs-page.ts";
import { Shop } from "./fixtures/plan-shop.ts";

/** The pages that describe the options of commands, beside `docs/cli.md`. */
const otherPages: Readonly<Record<string, readonly string[]>> = {
  plan: ["docs/plan.md"],
  fill: ["docs/grammar.md"],
  check: ["docs/grammar.md"],
  grammar: ["docs/grammar.md"],
  lsp: ["docs/lsp.md"],
  serve: ["docs/page.md"],
};

test("the reference names each command and option that the program has", async () => {
  const work = new Shop();
  const cli = new DocsPage("docs/cli.md").text;
  const sections = cli.split(/^## /m).slice(1);
  const missing: string[] = [];
  const check = async (words: readonly string[]): Promise<void> => {
    const help = (await work.run([...words, "--help"])).out;
    const command = words[0] ?? "";
    const own = sections.filter((section) => new RegExp(`\`emend ${command}\\b`).test(section.split("\n", 1)[0]!));
    const pages = (otherPages[command] ?? []).map((path) => new DocsPage(path).text);
    const text = [...own, ...pages].join("\n");
    for (const [, option] of help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm))
      if (words.length > 0 && option !== "--help" && !new RegExp(`${option}\\b`).test(text))
        missing.push(`${words.join(" ")} ${option}`);
    const commands = /^Commands:\n([\s\S]*)/m.exec(help)?.[1] ?? "";
    for (const [, name] of commands.matchAll(/^ {2}([a-z]+)/gm))
      if (name !== "help") {
        if (words.length > 0 && !new RegExp(`\\b${name}\\b`).test(text)) missing.push(`${words.join(" ")} ${name}`);
        await check([...words, name!]);
      }
  };
  await check([]);
  expect(missing).toEqual([]);
});
