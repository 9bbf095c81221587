import { readdir, readFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { joinPath, tryRelativePath } from "../../codebase/index.ts";
import { toPortablePath } from "../../codebase/node/index.ts";

/**
 * The folders that Python must search first in a copy of a workspace, so that it finds the copy's packages and not the
 * original's: a virtual environment names the folders of packages that are installed in editable mode by absolute paths.
 *
 * `environments` are absolute paths of virtual environments; `from` is the absolute path of the original and `to` that of the
 * copy. Source: "Editable installs" in PEP 660, whose wheels hold `.pth` files or modules with a mapping of names to paths.
 */
export async function pythonSearchPath(
  environments: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const folders = new Set<string>();
  const take = (path: string) => {
    const inside = isAbsolute(path) ? tryRelativePath(from, toPortablePath(path)) : undefined;
    // What the copy has by a link is the original's in any case.
    if (inside !== undefined && !/(^|\/)(\.?venv|env)\//.test(inside)) folders.add(joinPath(to, inside));
  };
  for (const environment of environments) {
    for (const packages of await packageFolders(environment)) {
      for (const name of await namesIn(packages)) {
        const isFinder = /^__editable__.*\.py$/.test(name);
        if (!name.endsWith(".pth") && !isFinder) continue;
        const text = await readFile(join(packages, name), "utf8").catch(() => "");
        if (!isFinder) for (const line of text.split(/\r?\n/)) take(line.trim());
        // Names of packages with where each lies: `MAPPING = {'sums': '/home/ada/sums/src/sums'}`.
        else for (const [, path] of text.matchAll(/: r?'([^'\n]+)'/g)) take(dirname(path!));
      }
    }
  }
  return [...folders];
}

/** `lib/python3.12/site-packages`, or `Lib/site-packages` on Windows. */
async function packageFolders(environment: string): Promise<readonly string[]> {
  const versions = (await namesIn(join(environment, "lib"))).filter((name) => name.startsWith("python"));
  const unix = versions.map((version) => join(environment, "lib", version, "site-packages"));
  return [...unix, join(environment, "Lib", "site-packages")];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
