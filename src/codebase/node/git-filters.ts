import { type GitAnswer, type GitOptions, mapGitAnswer, runGitBytes } from "./run-git.ts";

/**
 * The names of filter drivers by path, for those of `paths` that have a `filter` attribute; `paths`
 * are relative to `folder`. Git compares such a file in the form that its filter produces, so it
 * cannot be compared without running the filter.
 *
 * Attributes come from `.gitattributes` in the work tree, `.git/info/attributes` and
 * `core.attributesFile`, as in git.
 */
export async function gitFilters(
  folder: string,
  paths: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer<ReadonlyMap<string, string>>> {
  if (paths.length === 0) return { kind: "answer", value: new Map() };
  // With `--all`, git omits unset attributes; without it, a driver named `unspecified` would look
  // like one.
  const args = ["check-attr", "-z", "--stdin", "--all"];
  const answer = await runGitBytes(folder, args, { ...options, input: paths.map((path) => `${path}\0`).join("") });
  return mapGitAnswer(answer, (output) => {
    const fields = output.toString("utf8").split("\0");
    const drivers = new Map<string, string>();
    for (let index = 0; index + 2 < fields.length; index += 3) {
      const [path, attribute, value] = [fields[index]!, fields[index + 1], fields[index + 2]!];
      // The attributes `filter` and `-filter` without a value name no driver.
      if (attribute === "filter" && value !== "set" && value !== "unset") drivers.set(path, value);
    }
    return drivers;
  });
}
