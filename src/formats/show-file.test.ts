import { expect, test } from "vitest";
import { fenceFor, showFenced, showNumbered } from "./show-file.ts";

test("fenceFor returns a fence longer than any in the text", () => {
  expect(fenceFor("a")).toBe("```");
  expect(fenceFor("a `b` ``c``")).toBe("```");
  expect(fenceFor("````ts\n```\n")).toBe("`````");
});

test("a file is shown with its path, its language and numbers", () => {
  expect(showFenced("src/a.ts", showNumbered("a\r\n\n  ```", ":"))).toBe(
    "# src/a.ts\n\n````ts\n1:a\n2:\n3:  ```\n````\n",
  );
  expect(showFenced("Makefile", "")).toBe("# Makefile\n\n```\n```\n");
  expect(showFenced("a.py", "x")).toBe("# a.py\n\n```py\nx\n```\n");
});
