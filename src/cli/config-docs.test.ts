import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { DocsPage } from "./fixtures/docs-page.ts";
import { repository } from "./fixtures/run-cli.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

/**
 * The configurations that the pages show: whole files, and the settings in the README's table of
 * machines.
 */
const shown = ["README.md", ...readdirSync(join(repository, "docs")).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith(".md"))
  .flatMap((path) => {
    const { text } = new DocsPage(path);
    const files = [...text.matchAll(/```jsonc\n(\/\/ emend\.config\.json[\s\S]*?)```/g)].map(([, file]) => file!);
    const rows = [...text.matchAll(/\| `("(?:model|edit)": .*?)` +\|/g)].map(([, settings]) => `{ ${settings} }`);
    return [...files, ...rows].map((config) => [path, config] as const);
  });

describe("each configuration in the documentation is valid", () => {
  test.each(shown)("%s: %s", async (_, config) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "emend-config-")));
    vi.stubEnv("XDG_CONFIG_HOME", join(folder, "config"));
    onTestFinished(() => {
      vi.unstubAllEnvs();
      removeFolder(folder);
    });
    const own = join(folder, "config/emend");
    mkdirSync(own, { recursive: true });
    const place = config.includes("// emend.config.json in your own folder") ? own : folder;
    writeFileSync(join(place, "emend.config.json"), config);
    const { exitCode, out, err } = await runAtTerminal(["config", "--json", "--trust"], {
      workingFolder: folder,
    });
    expect([exitCode, err, JSON.parse(out).issues]).toEqual([0, "", []]);
  });

  test("the documentation contains configurations", () => expect(shown.length).toBeGreaterThan(8));
});
