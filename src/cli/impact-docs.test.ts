import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { GitRepository } from "./fixtures/git-repository.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

const page = new URL("../../docs/impact.md", import.meta.url);
const text = readFileSync(page, "utf8");

function repositoryOf(files: Readonly<Record<string, string>>): GitRepository {
  const repository = GitRepository.of(files);
  onTestFinished(() => repository.remove());
  return repository;
}

/** Without likelihoods, which are tuned by themselves. */
function withoutShares(shown: string): string {
  return shown.replace(/\d+( ?)%/g, "__$1%").trimEnd();
}

const session = /<!-- console -->\n+```console\n([\s\S]*?)```/;

test("the session on the page prints what it shows (UPDATE_DOCS=1 writes it)", async () => {
  const repository = repositoryOf({});
  const rows: string[] = [];
  for (const step of session.exec(text)![1]!.split(/^\$ /m).slice(1)) {
    const [command, ...shown] = step.split("\n");
    const [program, ...args] = command!.split(" ");
    let printed = shown.join("\n");
    if (program === "cat") repository.write({ [args[0]!]: printed });
    else if (program === "git") repository.git(...args);
    else {
      const { out } = await runAtTerminal(args, { workingFolder: repository.folder });
      if (process.env["UPDATE_DOCS"] === "1") printed = out;
      else expect(withoutShares(out), command).toBe(withoutShares(printed));
    }
    rows.push(`$ ${command}\n${printed}`);
  }
  if (process.env["UPDATE_DOCS"] !== "1") return;
  writeFileSync(
    page,
    text.replace(session, (whole, old: string) => whole.replace(old, () => rows.join(""))),
  );
});

const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, lines]) => lines!.trim().split("\n"));

describe("each command on the page is one that the command line takes", () => {
  test.each(commands)("%s", async (line) => {
    const repository = repositoryOf({
      "src/a.ts": "export function f() {}\n",
      "src/b.ts": 'import { f } from "./a.ts";\nf();\n',
    });
    repository.git("checkout", "--quiet", "-b", "feature");
    repository.commit({ "src/a.ts": "export function f(a: number) {}\n" });
    repository.write({ "src/a.ts": "export function f(a: number, b: number) {}\n" });
    const steps = line
      .replace(/ +#.*$/, "")
      .replace(/ > \S+$/, "")
      .split(" | ");
    const [npx, emend, ...args] = steps.at(-1)!.split(" ");
    expect([npx, emend]).toEqual(["npx", "emend"]);
    const input = steps.length === 1 ? "" : repository.git(...steps[0]!.split(" ").slice(1));
    const { exitCode, out, err } = await runAtTerminal(args, { workingFolder: repository.folder, input });
    expect([exitCode, err, out !== ""]).toEqual([args.includes("--fail-on") ? 11 : 0, "", true]);
  });
});
