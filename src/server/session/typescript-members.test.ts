import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { EmendError } from "../../text/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { systemClock, toPortablePath } from "../../workspace/node/index.ts";
import { TypeScriptMembers, type TypeScriptMembersOptions } from "./typescript-members.ts";

type Service = ReturnType<Required<TypeScriptMembersOptions>["open"]>;

/** Members whose service writes down its requests, and answers by `answer`. */
function scripted(
  answer: () => Promise<Awaited<ReturnType<Service["memberNames"]>>>,
  search: NonNullable<TypeScriptMembersOptions["search"]> = async () => new Map(),
) {
  const log: string[] = [];
  const clock = new FakeClock();
  const members = new TypeScriptMembers({
    ...{ root: "/root", clock, timeoutMs: 300, maxMemoryMb: () => 1_024, search },
    open: (_, { maxMemoryMb }) => {
      log.push(maxMemoryMb === 1_024 ? "open" : `open with ${maxMemoryMb} MB`);
      return {
        update: async (texts) => {
          for (const [path, text] of texts) log.push(`${path}: ${text}`);
        },
        memberNames: (path, offset) => {
          log.push(`${path} at ${offset}`);
          return answer();
        },
        close: async () => void log.push("close"),
      };
    },
  });
  return { members, clock, log, source: members.sourceFor("a.ts")! };
}

const names = { kind: "names", of: "Box", names: ["left"] } as const;

test("requests members with a placeholder after the dot, for the current text", async () => {
  const { source, log, members } = scripted(async () => names);
  expect(await source.membersBetween("box.", "\nmore")).toEqual(names);
  members.changed(["b.ts"]);
  expect(await source.membersBetween("b.", "")).toEqual(names);
  expect(log).toEqual([
    ...["open", "/root/a.ts: box._\nmore", "/root/a.ts at 4"],
    ...["/root/b.ts: undefined", "/root/a.ts: b._", "/root/a.ts at 2"],
  ]);
});

test.each(["a.ts", "a.tsx", "a.js", "a.mjs", "a.cts", "a.JSX"])("%s has types", (path) => {
  expect(scripted(async () => names).members.sourceFor(path)).toBeDefined();
});

test.each(["a.py", "ts", "a.ts.txt", "a.json", "a.vue"])("%s has no types", (path) => {
  expect(scripted(async () => names).members.sourceFor(path)).toBeUndefined();
});

test("does not wait for a late answer, and sends no request after its timeout", async () => {
  let answer: (() => void) | undefined;
  const { source, clock, log } = scripted(() => new Promise((resolve) => (answer = () => resolve(names))));
  const first = source.membersBetween("a.", "");
  const second = source.membersBetween("b.", "");
  await vi.waitFor(() => expect(answer).toBeDefined());
  clock.advance(300);
  const late = { kind: "unknown", why: "TypeScript did not answer within 300 ms" };
  expect(await Promise.all([first, second])).toEqual([late, late]);
  expect(await source.membersBetween("c.", "")).toEqual({ kind: "unknown", why: "TypeScript is still busy" });
  answer?.();
  await setImmediate();
  expect(log.filter((line) => line.includes(" at "))).toEqual(["/root/a.ts at 2"]);
  void source.membersBetween("d.", "");
  await setImmediate();
  expect(log.at(-1)).toBe("/root/a.ts at 2");
  expect(log.at(-2)).toBe("/root/a.ts: d._");
});

test("a TypeScript process that ends is started again a limited number of times", async () => {
  const { source, log } = scripted(() => Promise.reject(new EmendError("typescript-failed", "It ended.")));
  const whys = [];
  for (let i = 0; i < 5; i++) whys.push(await source.membersBetween("a.", ""));
  const ended = { kind: "unknown", why: "It ended." };
  const tooOften = { kind: "unknown", why: "The TypeScript service ended too often to be started again." };
  expect(whys).toEqual([ended, ended, ended, tooOften, tooOften]);
  expect(log.filter((line) => line === "open")).toHaveLength(3);
});

test("answers nothing after disposal, and disposing twice is harmless", async () => {
  const { members, source, log } = scripted(async () => names);
  await source.membersBetween("a.", "");
  await members[Symbol.asyncDispose]();
  await members[Symbol.asyncDispose]();
  expect(log.filter((line) => line === "close")).toHaveLength(1);
  expect(await source.membersBetween("a.", "")).toMatchObject({ kind: "unknown" });
});

test.each([
  ["memory", "typescript-memory"],
  ["time", "typescript-stalled"],
])("row 16: restarts a service that needs too much %s without the file that causes it", async (what, code) => {
  let fails = true;
  const { source, members, log } = scripted(
    () => (fails ? Promise.reject(new EmendError(code, "It was ended.")) : Promise.resolve(names)),
    async () => new Map([["bad.ts", code === "typescript-memory" ? "memory" : "stalled"]]),
  );
  expect(await source.membersBetween("a.", "")).toEqual({ kind: "unknown", why: "It was ended." });
  fails = false;
  expect(await source.membersBetween("a.", "")).toEqual(names);
  expect(log.filter((line) => line.startsWith("open") || line.includes("bad.ts"))).toEqual([
    "open",
    "open",
    "/root/bad.ts: null",
  ]);
  const bad = members.sourceFor("bad.ts")!;
  expect(await bad.membersBetween("a.", "")).toEqual({ kind: "unknown", why: `bad.ts needs too much ${what}` });
  members.changed(["bad.ts"]);
  expect(await bad.membersBetween("a.", "")).toEqual(names);
});

test("row 16: a TypeScript process that needs too much memory for all files is started a limited number of times", async () => {
  const { source, log } = scripted(() => Promise.reject(new EmendError("typescript-memory", "It was ended.")));
  for (let i = 0; i < 5; i++) await source.membersBetween("a.", "");
  expect(log.filter((line) => line === "open")).toHaveLength(3);
});

test("row 16: TypeScript answers beside a file on the disk that exceeds its limit", {
  timeout: 60_000,
}, async () => {
  const root = toPortablePath(realpathSync(mkdtempSync(join(tmpdir(), "emend-members-"))));
  onTestFinished(() => removeFolder(root));
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions: { strict: true, types: [] } }));
  writeFileSync(join(root, "box.ts"), "export interface Box { left: number }");
  writeFileSync(join(root, "bad.ts"), "a<".repeat(2_000));
  const members = new TypeScriptMembers({ root, clock: systemClock, timeoutMs: 50_000, maxMemoryMb: () => 300 });
  onTestFinished(() => members[Symbol.asyncDispose]());
  const source = members.sourceFor("use.ts")!;
  const before = "import type { Box } from './box';\nfunction left(box: Box) {\n  return box.";
  expect(await source.membersBetween(before, ";\n}\n")).toMatchObject({ kind: "unknown" });
  expect(await source.membersBetween(before, ";\n}\n")).toEqual({ kind: "names", of: "Box", names: ["left"] });
});

test("TypeScript itself", async () => {
  const root = toPortablePath(realpathSync(mkdtempSync(join(tmpdir(), "emend-members-"))));
  onTestFinished(() => removeFolder(root));
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions: { strict: true, types: [] } }));
  writeFileSync(join(root, "box.ts"), "export interface Box { left: number }");
  const members = new TypeScriptMembers({ root, clock: systemClock, timeoutMs: 30_000, maxMemoryMb: () => 2_048 });
  onTestFinished(() => members[Symbol.asyncDispose]());
  // The file is not on the disk yet.
  const source = members.sourceFor("use.ts")!;
  const before = "import type { Box } from './box';\nfunction left(box: Box) {\n  return box.";
  expect(await source.membersBetween(before, ";\n}\n")).toEqual({ kind: "names", of: "Box", names: ["left"] });
  writeFileSync(join(root, "box.ts"), "export interface Box { right: number }");
  members.changed(["box.ts"]);
  expect(await source.membersBetween(before, ";\n}\n")).toMatchObject({ names: ["right"] });
});
