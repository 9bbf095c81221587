import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
}).split("\0");
const pages = files.filter((path) => path === "ARCHITECTURE.md" || /^src\/[^/]+\/README\.md$/.test(path));

/**
 * Paths and file names in code spans, such as `src/text/edit.ts` or `edit.ts`; with `*` a pattern.
 */
function filesNamedIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/`([\w./*-]+)`/g)]
    .map(([, name]) => name!)
    .filter((name) => /\.(?:tsx?|md)$/.test(name) || /^(?:src|web|editors|bench|scripts)\//.test(name));
}

/**
 * Whether a file or folder has that path from the root, or ends with it in the layer of the page.
 */
function exists(name: string, page: string): boolean {
  const pattern = `${name.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}(?:/|$)`;
  const layer = page === "ARCHITECTURE.md" ? "src/" : `${dirname(page)}/`;
  const [fromRoot, inLayer] = [new RegExp(`^${pattern}`), new RegExp(`/${pattern}`)];
  return files.some((path) => fromRoot.test(path) || (path.startsWith(layer) && inLayer.test(path)));
}

test.each(pages)("every file that %s names exists", (page) => {
  const named = filesNamedIn(readFileSync(join(root, page), "utf8"));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !exists(name, page))).toEqual([]);
});

test("ARCHITECTURE.md has at most 200 lines, and its prose at most 100 columns", () => {
  const lines = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(200);
  expect(lines.filter((line) => line.length > 100 && !line.startsWith("|"))).toEqual([]);
});

// The option `recursive` of Node's `mkdir` never ends in some folders: see `makeFolder`. Blocking
// calls are for builds alone.
test("sources make folders with their parents by makeFolder alone", () => {
  const sources = files.filter((path) => /^src\/.*\.ts$/.test(path) && !/\/fixtures\/|\.(?:test|laws)\.ts$/.test(path));
  const making = sources.filter((path) => /\bmkdir\([^;]*recursive/.test(readFileSync(join(root, path), "utf8")));
  expect(making).toEqual([]);
});
