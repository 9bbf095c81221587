import { readdir } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { defaultMaxBytes, joinPath, tryRelativePath } from "../../codebase/index.ts";
import { readRegularFile, toPortablePath } from "../../codebase/node/index.ts";

/**
 * The folders that Python must search first in a copy of a workspace, so that it loads the copy's
 * packages: a virtual environment stores the folders of packages in editable mode as absolute paths
 * of the original.
 *
 * `environments` are absolute paths of virtual environments, `from` is that of the original and
 * `to` that of the copy. Source: "Editable installs" in PEP 660, whose wheels contain `.pth` files
 * or modules that map names to paths.
 */
export async function pythonSearchPath(
  environments: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const folders = new Set<string>();
  const take = (path: string) => {
    const inside = isAbsolute(path) ? tryRelativePath(from, toPortablePath(path)) : undefined;
    // Folders that the copy links belong to the original in any case.
    if (inside !== undefined && !/(^|\/)(\.?venv|env)\//.test(inside)) folders.add(joinPath(to, inside));
  };
  for (const environment of environments) {
    for (const packages of await packageFolders(environment)) {
      for (const name of await namesIn(packages)) {
        const isFinder = /^__editable__.*\.py$/.test(name);
        if (!name.endsWith(".pth") && !isFinder) continue;
        const text = await readRegularFile(join(packages, name), { maxBytes: defaultMaxBytes }).then(String, () => "");
        if (!isFinder) for (const line of text.split(/\r?\n/)) take(line.trim());
        // Packages with their folders: `MAPPING = {'sums': '/home/ada/sums/src/sums'}`.
        else for (const [, path] of text.matchAll(/: r?'([^'\n]+)'/g)) take(dirname(path!));
      }
    }
  }
  return [...folders];
}

/**
 * The package folders of an environment: `lib/python3.12/site-packages`, or `Lib/site-packages` on
 * Windows.
 */
async function packageFolders(environment: string): Promise<readonly string[]> {
  const versions = (await namesIn(join(environment, "lib"))).filter((name) => name.startsWith("python"));
  const unix = versions.map((version) => join(environment, "lib", version, "site-packages"));
  return [...unix, join(environment, "Lib", "site-packages")];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
