import {
  chmodSync,
  existsSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { makeFolder } from "./make-folder.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-make-folder-")));
afterAll(() => removeFolder(top));
const at = (path: string) => join(top, path);

test("makes the folders that are missing, for their owner only, and leaves those that are there", async () => {
  chmodSync(top, 0o755);
  await makeFolder(at("a/b/c"), { mode: 0o700 });
  await makeFolder(at("a/b/c"), { mode: 0o700 });
  await Promise.all([makeFolder(at("a/d/e")), makeFolder(at("a/d/e")), makeFolder(at("a/d/f"))]);
  expect(["a/b/c", "a/d/e", "a/d/f"].filter((path) => !existsSync(at(path)))).toEqual([]);
  // Windows has no such permissions.
  const modes = process.platform === "win32" ? [0o666, 0o666] : [0o755, 0o700];
  expect(["", "a", "a/b", "a/b/c"].map((path) => statSync(at(path)).mode & 0o777)).toEqual([
    modes[0],
    ...[modes[1], modes[1], modes[1]],
  ]);
});

test.skipIf(process.platform === "win32")("keeps a link to a folder", async () => {
  await makeFolder(at("target"));
  symlinkSync(at("target"), at("link"));
  await makeFolder(at("link/inner"));
  expect(existsSync(at("target/inner"))).toBe(true);
});

// With the option `recursive` of Node's `mkdir` the rows with a link and in /proc never end.
test.skipIf(process.platform === "win32").each([
  ["a file", "file", "EEXIST"],
  ["a folder in a file", "file/inner", "ENOTDIR"],
  ["a link without its target", "dangling", "EEXIST"],
  ["a folder under a link without its target", "dangling/inner/most", "EEXIST"],
])("rejects for %s", async (_, path, code) => {
  writeFileSync(at("file"), "");
  rmSync(at("dangling"), { force: true });
  symlinkSync(at("gone"), at("dangling"), "dir");
  await expect(makeFolder(at(path))).rejects.toMatchObject({ code, syscall: "mkdir" });
});

test.runIf(process.platform === "linux")(
  "rejects for a folder in /proc, with the first that cannot be made",
  async () => {
    await expect(makeFolder("/proc/emend/state")).rejects.toMatchObject({ code: "ENOENT", path: "/proc/emend" });
  },
);
