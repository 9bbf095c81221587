import fc from "fast-check";
import { expect, test } from "vitest";
import type { FileSystem } from "./file-system.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";
import { type WalkItem, walkWorkspace } from "./walk.ts";
import { type WalkRecord, WalkRecorder } from "./walk-record.ts";

/** A disk in memory on which each change has a time of its own, and which counts its listings. */
function openDisk(files: Readonly<Record<string, string>>) {
  let now = 1_000.5;
  const disk = new MemoryFileSystem({}, () => {
    now += 1_000;
    return now;
  });
  for (const [path, text] of Object.entries(files)) disk.writeFile(`/w/${path}`, text);
  const listed: string[] = [];
  const fileSystem: FileSystem = {
    readFile: (path) => disk.readFile(path),
    readFolder: (path) => {
      listed.push(path.slice("/w/".length));
      return disk.readFolder(path);
    },
    stat: (path) => disk.stat(path),
    realPath: (path) => disk.realPath(path),
  };
  const walk = async (before?: WalkRecord, startedAtMs = now + 1_000) => {
    const recorder = new WalkRecorder({ fileSystem, root: "/w", before, startedAtMs });
    const items: WalkItem[] = [];
    listed.length = 0;
    for await (const item of walkWorkspace("/w", { fileSystem, recorder, excludesFile: "/user" })) items.push(item);
    // A record is kept as JSON.
    const record = JSON.parse(JSON.stringify(recorder.record)) as WalkRecord;
    return { items, record, listed: [...listed], listedFolders: recorder.listed };
  };
  const fresh = async () => {
    const items: WalkItem[] = [];
    for await (const item of walkWorkspace("/w", { fileSystem, excludesFile: "/user" })) items.push(item);
    return items;
  };
  return { disk, walk, fresh };
}

const files = {
  ".git/HEAD": "",
  ".gitignore": "*.log\n",
  "a.ts": "a",
  "b/.emendignore": "private\n",
  "b/c/d.ts": "d",
  "b/private/e.ts": "e",
  "f/g.py": "g",
  "f/notes.unknown": "",
  "f/.env": "secret",
};

test("a walk of an unchanged workspace lists only its root, to see whether it can be listed", async () => {
  const { walk } = openDisk(files);
  const first = await walk();
  expect(first.listedFolders).toBe(4);
  const second = await walk(first.record);
  expect(second.items).toEqual(first.items);
  expect(second.record).toEqual(first.record);
  expect(second.listed).toEqual([""]);
  expect(second.listedFolders).toBe(0);
});

type Change = (disk: MemoryFileSystem) => void;
test.each<[change: string, make: Change, listedFolders: number]>([
  ["a text", (disk) => disk.writeFile("/w/f/g.py", "changed"), 1],
  ["a new file", (disk) => disk.writeFile("/w/b/c/new.ts", ""), 1],
  ["a removed file", (disk) => disk.remove("/w/f/g.py"), 1],
  ["a file in place of a folder", (disk) => disk.writeFile("/w/b/c", ""), 1],
  ["a new folder", (disk) => disk.writeFile("/w/b/new/x.ts", ""), 2],
  ["a folder moved into the place of another", (disk) => disk.rename("/w/b", "/w/f"), 3],
  ["a new ignore file", (disk) => disk.writeFile("/w/b/.gitignore", "c\n"), 1],
  ["a new ignore file above others", (disk) => disk.writeFile("/w/.emendignore", "c\n"), 3],
  ["another rule", (disk) => disk.writeFile("/w/.gitignore", "*.py\n"), 4],
  ["another rule of a folder", (disk) => disk.writeFile("/w/b/.emendignore", "c\n"), 2],
  ["a removed ignore file", (disk) => disk.remove("/w/b/.emendignore"), 3],
  ["another rule of the repository", (disk) => disk.writeFile("/w/.git/info/exclude", "f\n"), 3],
  ["another rule of the user", (disk) => disk.writeFile("/user", "f\n"), 3],
  ["a repository that is gone", (disk) => disk.remove("/w/.git"), 4],
  ["a folder that may not be read", (disk) => disk.lock("/w/f"), 0],
])("a walk sees %s", async (_, make, listedFolders) => {
  const { disk, walk, fresh } = openDisk(files);
  const { record } = await walk();
  make(disk);
  const again = await walk(record);
  expect(again.items).toEqual(await fresh());
  expect(again.listedFolders).toBe(listedFolders);
});

test("a folder that changed right before the walk is listed again", async () => {
  const { disk, walk, fresh } = openDisk(files);
  const { ctimeMs } = await disk.stat("/w/f");
  const { record } = await walk(undefined, ctimeMs! + 1);
  expect(record.folders.map(([path]) => path)).not.toContain("f");
  expect((await walk(record)).items).toEqual(await fresh());
});

const names = ["a.ts", "b", "c", "d.py", ".gitignore", ".emendignore", ".env", "dist", "x.log"];
const anyPath = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const anyText = fc.constantFrom("", "b\n", "*.py\n", "!c\n/b/*\n", "dist/\n", "*\n!*.ts\n");
const anyChange = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path: anyPath, text: anyText }),
  fc.record({ kind: fc.constant("remove" as const), path: anyPath }),
  fc.record({ kind: fc.constant("link" as const), path: anyPath, text: anyPath.map((path) => `/w/${path}`) }),
);

test("law: a walk that recalls finds what a walk that does not recall finds", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyChange, { maxLength: 4 }), { minLength: 2, maxLength: 5 }),
      async (rounds) => {
        const { disk, walk, fresh } = openDisk(files);
        let record: WalkRecord | undefined;
        for (const round of rounds) {
          for (const change of round) {
            try {
              if (change.kind === "write") disk.writeFile(`/w/${change.path}`, change.text);
              else if (change.kind === "remove") disk.remove(`/w/${change.path}`);
              else disk.makeLink(`/w/${change.path}`, change.text);
            } catch {
              // A name above it is no folder.
            }
          }
          const { items, record: next } = await walk(record);
          expect(items).toEqual(await fresh());
          record = next;
        }
      },
    ),
    { numRuns: 300 },
  );
});
