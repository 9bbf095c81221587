import { describe, expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import type { WatchRequest } from "../../workspace/index.ts";
import { DiskChanges } from "./disk-changes.ts";

/** Changes of the folder `/w`, with a watcher that a test speaks for. */
async function following() {
  const clock = new FakeClock();
  const watched: string[] = [];
  const reports: string[] = [];
  const problems: string[] = [];
  let request: WatchRequest | undefined;
  const changes = new DiskChanges({
    ...{ root: "/w", clock, onProblem: (message) => void problems.push(message) },
    async watch(watchRequest) {
      request = watchRequest;
      watched.push(...watchRequest.paths);
      return { add: (path) => void watched.push(path), [Symbol.asyncDispose]: async () => void watched.push("end") };
    },
  });
  const listen = () => changes.listen((paths) => void reports.push(paths.join(" ")));
  const touch = (...paths: readonly string[]) => {
    for (const path of paths) request!.onChange(path);
  };
  return {
    changes,
    clock,
    watched,
    reports,
    problems,
    listen,
    touch,
    isOut: (path: string, kind?: "file" | "folder") => request!.isExcluded(path, kind),
    request: () => request!,
  };
}

describe("DiskChanges", () => {
  test("watches nothing before the first listener, and each folder once", async () => {
    const { changes, watched, listen } = await following();
    changes.follow("src", "src");
    expect(watched).toEqual([]);
    await listen();
    await listen();
    expect(watched).toEqual(["/w", "/w/src"]);
    changes.follow("src/in", "src/in");
    changes.follow("src", "src");
    await Promise.resolve();
    expect(watched).toEqual(["/w", "/w/src", "/w/src/in"]);
    await changes[Symbol.asyncDispose]();
    await changes[Symbol.asyncDispose]();
    expect(watched.at(-1)).toBe("end");
  });

  test("reports changes within the interval together, once and sorted", async () => {
    const { changes, clock, reports, listen, touch } = await following();
    changes.follow("src", "src");
    await listen();
    touch("/w/src/b.ts", "/w/a.ts", "/w/src/b.ts");
    clock.advance(49);
    expect(reports).toEqual([]);
    clock.advance(1);
    expect(reports).toEqual(["a.ts src/b.ts"]);
    clock.advance(1_000);
    touch("/w/a.ts");
    clock.advance(50);
    expect(reports).toEqual(["a.ts src/b.ts", "a.ts"]);
  });

  test.each([
    ["/w/src/deep/a.ts", ""],
    ["/w/other/a.ts", ""],
    ["/w/other", "other"],
    ["/w/src", "src"],
    ["/w", ""],
    ["/w/.git/index", ""],
    ["/w/.git", ""],
    ["/elsewhere/a.ts", ""],
    ["/w/src/.emend-0a1b2c3d-0.tmp", ""],
    ["/w/real/a.ts", "linked/a.ts real/a.ts"],
  ])("%s is reported as %j", async (path, expected) => {
    const { changes, clock, reports, listen, touch } = await following();
    changes.follow("src", "src");
    changes.follow("linked", "real");
    changes.follow("real", "real");
    await listen();
    touch(path);
    clock.advance(50);
    expect(reports.join()).toBe(expected);
  });

  test("watches only folders that a page has listed", async () => {
    const { changes, listen, isOut } = await following();
    changes.follow("node_modules", "node_modules");
    await listen();
    const folders = ["/w/src", "/w/node_modules", "/w/node_modules/a", "/w/.git", "/w/.git/refs", "/elsewhere"];
    expect(folders.filter((path) => !isOut(path, "folder"))).toEqual(["/w/node_modules"]);
    const files = ["/w/a.ts", "/w/src/a.ts", "/w/node_modules/a", "/w/.git/index"];
    expect(files.filter((path) => !isOut(path))).toEqual(["/w/a.ts", "/w/node_modules/a"]);
    changes.follow("src", "src");
    expect(isOut("/w/src", "folder")).toBe(false);
  });

  test("notifies no disposed listener, and reports a failing watcher", async () => {
    const { clock, reports, problems, listen, touch, request } = await following();
    (await listen())[Symbol.dispose]();
    touch("/w/a.ts");
    clock.advance(50);
    expect(reports).toEqual([]);
    request().onError(new Error("too many folders"));
    expect(problems).toEqual(["Changes on the disk may be missed: too many folders"]);
  });
});
