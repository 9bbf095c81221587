import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemDisk } from "../../edit/node/index.ts";
import { outsideText, ServedWorld } from "./fixtures/served-world.ts";
import { resolveServedPath } from "./resolve-served-path.ts";

let world: ServedWorld;
let outside: string;
let versionControl: string;
beforeAll(async () => {
  world = new ServedWorld();
  await world.open();
  outside = world.snapshot("outside");
  versionControl = world.snapshot("work/.git");
});
afterAll(() => world[Symbol.asyncDispose]());

/** Names that are there, steps, links out and in, and whatever else somebody may write. */
const name = fc.oneof(
  fc.constantFrom(...["..", ".", "", "out", "in", "dead", "dead-out", "loop", "src", "b.ts", "secret.txt", "out.txt"]),
  fc.constantFrom(
    ...[".git", ".Git", "config", "outside", "work", "new", "~", "*", "$HOME", "C:", "con", "%2e%2e", "%2f"],
  ),
  fc.constantFrom(...["..\0", "\0", "\u202e", "．．", "․․", "..\\..", "\\", "..;", ".. ", "...", "a\nb"]),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const separator = fc.constantFrom("/", "/", "/", "/", "//", "\\", "%2f", "%5c", "/./", "/../", "\0/");
const path = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.tuple(name, separator), { maxLength: 6 }).map((parts) => parts.flat().join("")) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom("", "/", "out/", "../"), fc.array(fc.tuple(separator, name), { maxLength: 5 }), name)
      .map(([start, parts, first]) => start + first + parts.flat().join("")),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
);

describe("no path leads out of the served folder", () => {
  test("when it is resolved", async () => {
    await fc.assert(
      fc.asyncProperty(path, async (requested) => {
        const answer = await resolveServedPath(world.root, requested, systemDisk);
        fc.pre(answer.kind !== "refused");
        for (const real of [answer.place.entry, answer.place.real]) {
          expect(real === world.root || real.startsWith(`${world.root}/`)).toBe(true);
          expect(real.slice(world.root.length).split("/")).not.toContain("..");
          expect(real).not.toMatch(/\/\.git(\/|$)/i);
        }
      }),
      { numRuns: 150 },
    );
  });

  const method = fc.constantFrom("GET", "PUT", "DELETE");
  /**
   * As a browser writes it, as somebody writes it who escapes every byte, and as it is where that
   * can be sent.
   */
  const written = fc.constantFrom<(path: string) => string>(
    (text) => encodeURIComponent(Buffer.from(text).toString()),
    (text) => Buffer.from(text).toString("hex").replaceAll(/../g, "%$&"),
    (text) => text.replaceAll(/[^!-~]|[#?&+]/g, ""),
  );

  test("when it is requested over HTTP", async () => {
    await fc.assert(
      fc.asyncProperty(method, path, written, fc.boolean(), async (method, requested, write, isNew) => {
        const headers = isNew ? { "if-none-match": "*" } : { "if-match": "0".repeat(64) };
        const target = `api/file?path=${write(requested)}`;
        const { status, text } = await world.send({ method, target, headers, ...(method === "PUT" && { body: "x" }) });
        expect(status).toBeLessThan(500);
        expect(text).not.toContain(outsideText);
        expect(text).not.toContain("[core]");
        expect(world.snapshot("outside")).toBe(outside);
        expect(world.snapshot("work/.git")).toBe(versionControl);
      }),
      { numRuns: 300 },
    );
    expect(world.problems).toEqual([]);
  });

  test("when it is requested as a part of the page", async () => {
    await fc.assert(
      fc.asyncProperty(path, written, async (requested, write) => {
        const { text } = await world.send({ target: write(requested) });
        expect(text).not.toContain(outsideText);
        expect(text).not.toContain("let a");
      }),
      { numRuns: 200 },
    );
  });
});
