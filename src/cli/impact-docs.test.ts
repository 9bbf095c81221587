import { describe, expect, onTestFinished, test } from "vitest";
import { DocsPage } from "./fixtures/docs-page.ts";
import { GitRepository } from "./fixtures/git-repository.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

function repositoryOf(files: Readonly<Record<string, string>>): GitRepository {
  const repository = GitRepository.of(files);
  onTestFinished(() => repository.remove());
  return repository;
}

const { commands } = new DocsPage("docs/impact.md");

describe("each command on the page runs", () => {
  test.each(commands)("%s", async (line) => {
    const repository = repositoryOf({
      "src/a.ts": "export function f() {}\n",
      "src/b.ts": 'import { f } from "./a.ts";\nf();\n',
    });
    repository.git("checkout", "--quiet", "-b", "feature");
    repository.commit({ "src/a.ts": "export function f(a: number) {}\n" });
    repository.write({ "src/a.ts": "export function f(a: number, b: number) {}\n" });
    const steps = line.replace(/ > \S+$/, "").split(" | ");
    const [emend, ...args] = steps.at(-1)!.split(" ");
    expect(emend).toBe("emend");
    const input = steps.length === 1 ? "" : repository.git(...steps[0]!.split(" ").slice(1));
    const { exitCode, out, err } = await runAtTerminal(args, { workingFolder: repository.folder, input });
    expect([exitCode, err, out !== ""]).toEqual([args.includes("--fail-on") ? 11 : 0, "", true]);
  });
});
