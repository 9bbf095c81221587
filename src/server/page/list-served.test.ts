import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemDisk } from "../../edit/node/index.ts";
import { ServedWorld } from "./fixtures/served-world.ts";
import { listServedFolder } from "./list-served.ts";

let world: ServedWorld;
beforeEach(() => {
  world = new ServedWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

/**
 * The names in a folder: with `/` those of folders, with `-` what is neither completed nor shown to
 * a model.
 */
async function list(folder: string): Promise<string> {
  const answer = await listServedFolder({ root: world.root, disk: systemDisk }, folder);
  if (answer.kind === "refused") return answer.refusal.kind;
  for (const { name, path } of answer.entries) expect(path).toBe(folder === "" ? name : `${folder}/${name}`);
  return answer.entries
    .map(({ name, kind, isIgnored }) => `${isIgnored ? "-" : ""}${name}${kind === "folder" ? "/" : ""}`)
    .join(" ");
}

describe("listServedFolder", () => {
  test("lists folders first in natural order, links as their targets, and no version control", async () => {
    for (const name of ["B.ts", "c10.ts", "c2.ts"]) world.write(name, "");
    expect(await list("")).toBe(
      "-dist/ in/ src/ -.env .gitignore a.ts B.ts c2.ts c10.ts -dead -dead-out in.ts -loop -out -out.txt",
    );
  });

  test("marks files in an ignored folder as ignored", async () => {
    world.write("dist/deep/a.js", "");
    expect(await list("dist")).toBe("-deep/ -out.js");
    expect(await list("dist/deep")).toBe("-a.js");
  });

  test("applies ignore files of subfolders, negated patterns included", async () => {
    world.write("src/.gitignore", "*.log\n!keep.log\n/gen/\n");
    for (const path of ["src/a.log", "src/keep.log", "src/gen/a.ts", "src/in/gen/a.ts"]) world.write(path, "");
    expect(await list("src")).toBe("-gen/ in/ .gitignore -a.log b.ts keep.log");
    expect(await list("src/in")).toBe("gen/");
  });

  test("lists secrets as such, also by a link of another name and in folders for secrets", async () => {
    world.write(".aws/config", "");
    world.write("keys/server.pem", "");
    symlinkSync(".env", join(world.root, "settings"));
    expect(await list("keys")).toBe("-server.pem");
    expect(await list(".aws")).toBe("-config");
    expect(await list("")).toContain("-settings");
    expect(await list("")).toContain("-.aws/");
  });

  test("lists special files as ignored files", async () => {
    mkdirSync(join(world.root, "odd"));
    execFileSync("mkfifo", [join(world.root, "odd/pipe")]);
    expect(await list("odd")).toBe("-pipe");
  });

  test.each([
    ["a.ts", "no-folder"],
    ["none", "missing"],
    ["..", "outside"],
    ["out", "outside"],
    ["in", "b.ts"],
    [".git", "version-control"],
    ["dead", "broken-link"],
  ])("%s -> %s", async (folder, expected) => expect(await list(folder)).toBe(expected));
});
