import { beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { Uncommitted } from "./uncommitted.ts";

let clock: FakeClock;
let answers: (string | undefined | Error)[];
let reads = 0;
beforeEach(() => {
  clock = new FakeClock();
  answers = [];
  reads = 0;
});

function open(isReadable: (path: string) => boolean = () => true): Uncommitted {
  return new Uncommitted({
    clock,
    async readDiff() {
      reads += 1;
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    isReadable: async (path) => isReadable(path),
  });
}

const part = (path: string, from = `a/${path}`) =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- ${from}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+new\n`;

test("runs git at once, and again when the disk has been quiet", async () => {
  answers = [part("a.ts"), part("b.ts")];
  const uncommitted = open();
  await uncommitted.settled();
  expect(uncommitted.diff).toBe(part("a.ts"));
  for (let i = 0; i < 5; i += 1) {
    uncommitted.touch();
    clock.advance(500);
  }
  expect(reads).toBe(1);
  clock.advance(500);
  await uncommitted.settled();
  expect([reads, uncommitted.diff]).toEqual([2, part("b.ts")]);
});

test("has no diff after a change of the rules until git has run again", async () => {
  answers = [part("a.ts") + part("b.ts"), part("a.ts") + part("b.ts")];
  let isReadable = (_path: string) => true;
  const uncommitted = open((path) => isReadable(path));
  await uncommitted.settled();
  isReadable = (path) => path !== "b.ts";
  uncommitted.forget();
  expect(uncommitted.diff).toBe("");
  clock.advance(1_000);
  await uncommitted.settled();
  expect(uncommitted.diff).toBe(part("a.ts"));
});

test("drops a diff that was judged by older rules", async () => {
  answers = [part("a.ts"), part("a.ts")];
  let forget = () => {};
  const uncommitted = open(() => {
    forget();
    return true;
  });
  forget = () => uncommitted.forget();
  await uncommitted.settled();
  expect(uncommitted.diff).toBe("");
  forget = () => {};
  clock.advance(1_000);
  await uncommitted.settled();
  expect(uncommitted.diff).toBe(part("a.ts"));
});

test("leaves out files that may not be read, by their old and new name", async () => {
  answers = [part("a.ts") + part("private/b.ts") + part("c.ts", "a/private/old.ts") + part("new.ts", "/dev/null")];
  const uncommitted = open((path) => !path.startsWith("private/"));
  await uncommitted.settled();
  expect(uncommitted.diff).toBe(part("a.ts") + part("new.ts", "/dev/null"));
});

test("leaves out binary files, such as images", async () => {
  answers = [`diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n${part("a.ts")}`];
  const uncommitted = open();
  await uncommitted.settled();
  expect(uncommitted.diff).toBe(part("a.ts"));
});

test("has no diff when git fails or prints nothing", async () => {
  answers = [undefined, part("a.ts"), new Error("git is gone")];
  const uncommitted = open();
  const diffs: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    await uncommitted.settled();
    diffs.push(uncommitted.diff);
    uncommitted.touch();
    clock.advance(1_000);
  }
  expect(diffs).toEqual(["", part("a.ts"), ""]);
});

test("does not run git after disposal", async () => {
  const uncommitted = open();
  await uncommitted.settled();
  uncommitted.touch();
  uncommitted[Symbol.dispose]();
  uncommitted[Symbol.dispose]();
  clock.advance(5_000);
  await uncommitted.settled();
  expect([reads, clock.waiting]).toEqual([1, 0]);
});
