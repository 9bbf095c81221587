import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Portable files whose values may be bundled into the page and the editors, such as the table of
 * model servers; everything else of `src` is used through the protocol.
 */
const portable =
  /^src\/(async\/|text\/|languages\/|syntax\/|analysis\/page\/|plan\/page\/|model\/(?:providers|discovery\/recommended-models)\.ts$)/;

test("the page and the editors import types from the server, and values from portable layers only", () => {
  const files = ["web/src", "editors/vscode/src"].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  const values = files.flatMap((file) => {
    const text = readFileSync(join(repository, file), "utf8");
    return [...text.matchAll(/^import (?!type\b)[^;]*? from "(\.[^"]+)"/gm)].map(([, to]) =>
      relative(repository, join(repository, dirname(file), to!)),
    );
  });
  expect(values.length).toBeGreaterThan(50);
  expect(values.filter((path) => path.startsWith("src/") && !portable.test(path))).toEqual([]);
});

test("the page stores values in the browser through `kept` only, which knows the folder of a value", () => {
  const files = readdirSync(join(repository, "web/src"), { recursive: true, encoding: "utf8" });
  const storing = files.filter(
    (name) =>
      /\.tsx?$/.test(name) &&
      /\b(local|session)Storage[.[]/.test(readFileSync(join(repository, "web/src", name), "utf8")),
  );
  expect(storing).toEqual([]);
});
