import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { ScriptedTypeChecker } from "../../analysis/fixtures/scripted-type-checker.ts";
import { TypeCheckCache } from "../../analysis/index.ts";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { EmendError } from "../../text/index.ts";
import { TypeScriptMembers } from "./typescript-members.ts";

const names = { kind: "names", of: "Box", names: ["left"] } as const;

/** Members whose type checker writes down its requests, and answers by `answer`. */
function scripted(answer: () => Promise<typeof names>) {
  const log: string[] = [];
  const clock = new FakeClock();
  const checker = new ScriptedTypeChecker([]);
  const types = new TypeCheckCache({
    checker: {
      update: async (texts) => {
        for (const [path, text] of texts) log.push(`${path}: ${text}`);
      },
      errorsOf: (paths) => checker.errorsOf(paths),
      membersAt: (path, offset) => {
        log.push(`${path} at ${offset}`);
        return answer();
      },
    },
    texts: [
      ["a.ts", ""],
      ["b.ts", ""],
    ],
  });
  const members = new TypeScriptMembers({ clock, timeoutMs: 300, typesFor: async () => types });
  return { members, clock, log, types, source: members.sourceFor("a.ts")! };
}

test("requests members with a placeholder after the dot, for the current texts and its own", async () => {
  const { source, log, types } = scripted(async () => names);
  expect(await source.membersBetween("box.", "\nmore")).toEqual(names);
  types.update("b.ts", "new");
  expect(await source.membersBetween("b.", "")).toEqual(names);
  expect(log).toEqual(["a.ts: box._\nmore", "a.ts at 4", "a.ts: b._", "b.ts: new", "a.ts at 2"]);
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
  expect(log.filter((line) => line.includes(" at "))).toEqual(["a.ts at 2"]);
  void source.membersBetween("d.", "");
  await setImmediate();
  expect(log.at(-1)).toBe("a.ts at 2");
  expect(log.at(-2)).toBe("a.ts: d._");
});

/** A checker of no files. */
const empty = new TypeCheckCache({ checker: new ScriptedTypeChecker([]), texts: [] });

test.each<readonly [where: string, typesFor: () => Promise<TypeCheckCache | undefined>, why: string]>([
  ["no types are known", async () => undefined, "TypeScript has no types for a.ts"],
  ["the file is not known", async () => empty, "TypeScript has no types for a.ts"],
  ["the checker ended", async () => Promise.reject(new EmendError("typescript-failed", "It ended.")), "It ended."],
])("members are unknown where %s", async (_, typesFor, why) => {
  const members = new TypeScriptMembers({ clock: new FakeClock(), timeoutMs: 300, typesFor });
  expect(await members.sourceFor("a.ts")!.membersBetween("a.", "")).toEqual({ kind: "unknown", why });
});
