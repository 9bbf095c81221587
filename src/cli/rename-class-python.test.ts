import { mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { GitRepository } from "./fixtures/git-repository.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

let close = () => {};
afterEach(() => close());

/**
 * A Python package that exports a class from an inner module, and so many modules and tests that
 * use it.
 */
function openPackage(users: number): GitRepository {
  const files: Record<string, string> = {
    "shop/__init__.py":
      'from ._config import *\nfrom ._client import *\n\n__all__ = [\n    "Client",\n    "Limits",\n]\n',
    "shop/_config.py":
      '__all__ = ["Limits"]\n\n\nclass Limits:\n    def __init__(self, most: int = 1) -> None:\n        self.most = most\n\n\nDEFAULT = Limits(2)\n',
    "shop/_client.py":
      '__all__ = ["Client"]\n\nfrom ._config import DEFAULT, Limits\n\n\nclass Client:\n    def __init__(self, limits: Limits = DEFAULT) -> None:\n        self.limits = limits\n\n    def send(self, limits: Limits) -> int:\n        return limits.most\n',
  };
  for (let at = 0; at < users; at++) {
    files[`tests/test_${at}.py`] =
      `import shop\n\n\ndef test_limits_${at}(client):\n    limits = shop.Limits(most=${at})\n    assert client.send(limits) == ${at}\n    assert shop.Client(limits).limits == limits\n`;
  }
  return GitRepository.of(files);
}

for (const [name, users] of [
  ["few", 2],
  ["a dozen", 12],
  ["many", 40],
] as const) {
  test(`row 41: a class of a Python package is renamed, and ${name} modules with it`, async () => {
    const repository = openPackage(users);
    const state = realpathSync(mkdtempSync(join(tmpdir(), "emend-state-")));
    close = () => {
      repository.remove();
      removeFolder(state);
    };
    const warnings: string[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning.name);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const environment = { EMEND_STATE_DIR: state, EMEND_CACHE_DIR: state, XDG_CONFIG_HOME: state };
    const emend = (...args: string[]) => runAtTerminal(args, { workingFolder: repository.folder, environment });
    const config = readFileSync(join(repository.folder, "shop/_config.py"), "utf8");
    repository.write({ "shop/_config.py": config.replace("class Limits:", "class PoolLimits:") });

    const applied = await emend("next", "--chain", "--apply");
    expect(applied.exitCode).toBe(0);
    expect(readFileSync(join(repository.folder, "shop/__init__.py"), "utf8")).toContain('    "PoolLimits",\n');
    expect(readFileSync(join(repository.folder, "shop/_config.py"), "utf8")).toContain('__all__ = ["PoolLimits"]\n');
    const { out, err } = await emend("impact", "--all");
    expect(err).toBe("");
    expect(warnings).toEqual([]);
    expect(out).not.toContain("✗");
    for (const entry of out.split(/^ {2}(?! )/m)) {
      const rows = entry.split("\n").filter((row) => row.trim() !== "");
      expect(rows).toEqual([...new Set(rows)]);
    }
  });
}
