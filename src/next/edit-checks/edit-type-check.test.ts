import { describe, expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { Edit } from "../../text/index.ts";
import { type EditTypeCheck, type TypeVerdict, typeCheckWithin } from "./edit-type-check.ts";

/** A type check that answers after `ms` milliseconds of its clock, with a limit of 50. */
function waited(tookMs: (path: string) => number) {
  const clock = new FakeClock();
  const checkedPaths: string[] = [];
  const after = <Answer>(path: string, answer: Answer) =>
    new Promise<Answer>((resolve) => {
      checkedPaths.push(path);
      clock.after(tookMs(path), () => resolve(answer));
    });
  const judge: EditTypeCheck = {
    judge: ({ path }) => after<TypeVerdict>(path, { kind: "fits", mended: 1 }),
    hasErrors: ([path]) => after(path!, true),
  };
  const within = typeCheckWithin(judge, clock, 50);
  const settled = async <Answer>(answer: Promise<Answer>) => {
    clock.advance(20);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(30);
    return answer;
  };
  return {
    ...{ clock, checkedPaths },
    kindOf: async (path: string) => (await settled(within.judge({ path, text: "", edit: Edit.insert(0, "a") }))).kind,
    hasErrors: (path: string) => settled(within.hasErrors!([path])),
  };
}

describe("a type check with a time limit", () => {
  test("returns its verdict within the limit", async () => {
    const { kindOf, hasErrors } = waited(() => 20);
    expect([await kindOf("a.ts"), await hasErrors("a.ts")]).toEqual(["fits", true]);
  });

  test("returns unknown for a file that takes too long, and is not called for it again during the pause", async () => {
    const { checkedPaths, clock, kindOf, hasErrors } = waited((path) => (path === "long.ts" ? 900 : 20));
    expect([await kindOf("long.ts"), await kindOf("long.ts"), await hasErrors("long.ts")]).toEqual([
      "unknown",
      "unknown",
      false,
    ]);
    expect(checkedPaths).toEqual(["long.ts"]);
    expect(await kindOf("short.ts")).toBe("fits");
    clock.advance(20_000);
    expect(await hasErrors("long.ts")).toBe(false);
    expect(checkedPaths).toEqual(["long.ts", "short.ts", "long.ts"]);
  });

  test("causes no pause where the caller aborted", async () => {
    const giving = new AbortController();
    const failing = typeCheckWithin(
      { judge: (_, options) => Promise.reject(options?.signal?.reason as Error) },
      new FakeClock(),
      50,
    );
    giving.abort(new Error("enough"));
    const proposed = { path: "a.ts", text: "", edit: Edit.empty };
    await expect(failing.judge(proposed, { signal: giving.signal })).rejects.toThrow("enough");
    await expect(failing.judge(proposed, { signal: giving.signal })).rejects.toThrow("enough");
  });
});
