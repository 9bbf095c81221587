import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { fileSystemLaws } from "../file-system.laws.ts";
import { blockingDisk, disk, toPortablePath } from "./disk.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "emend-disk-")));
afterAll(() => removeFolder(home));
const mayReadAll = process.getuid === undefined || process.getuid() === 0;

for (const [name, fileSystem] of [
  ["the machine's disk", disk],
  ["the machine's disk, blocking", blockingDisk],
] as const)
  fileSystemLaws(name, () => {
    const root = mkdtempSync(join(home, "bench-"));
    const place = (path: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      return join(root, path);
    };
    return {
      fileSystem,
      root: toPortablePath(root),
      write: (path, content) => writeFileSync(place(path), content),
      makeFolder: (path) => mkdirSync(place(path)),
      makeLink: (path, target) => symlinkSync(target, place(path)),
      ...(process.platform !== "win32" && { makeSpecial: (path: string) => execFileSync("mkfifo", [place(path)]) }),
      ...(!mayReadAll && { lock: (path: string) => chmodSync(place(path), 0) }),
    };
  });
