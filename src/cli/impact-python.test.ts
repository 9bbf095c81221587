import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { ImpactJson } from "../analysis/index.ts";
import { GitRepository } from "./fixtures/git-repository.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

/**
 * `emend impact` in Python: two classes that have nothing to do with each other, with a method of
 * one name.
 */
let repository: GitRepository;

const lamp = "class Lamp:\n    def switch(self, on: bool) -> None: ...\n";

beforeAll(() => {
  repository = GitRepository.of({
    "lamp.py": lamp,
    "track.py": "class Track:\n    def switch(self, on: bool) -> None: ...\n",
    "room.py": "from lamp import Lamp\n\n\ndef dim(one):\n    if isinstance(one, Lamp):\n        one.switch(False)\n",
    "station.py":
      "from track import Track\n\n\ndef divert(one):\n    if isinstance(one, Track):\n        one.switch(True)\n",
  });
  repository.write({ "lamp.py": lamp.replace("on: bool", "on: bool, fade: float") });
});
afterAll(() => repository.remove());

test("leaves out callers of a method with the same name, by the types of pyright", async () => {
  const { out, err, exitCode } = await runAtTerminal(["impact", "--all"], { workingFolder: repository.folder });
  expect([err, exitCode]).toEqual(["", 0]);
  expect(out.replace(/\d+( ?)%/g, "__$1%")).toMatchInlineSnapshot(`
    "1 change between HEAD and the work tree
      method Lamp.switch  lamp.py:2  signature changed: +fade

    To do: 1 block in 1 file likely to be affected, and not changed
      room.py
        ○ __% function dim  line 4: calls method Lamp.switch (signature changed); the type checker reports: Argument missing for parameter "fade" (reportCallIssue)

    Looked at
      4 files with 8 blocks and 10 dependencies
      pyright checked 2 files of Python, 2 of 2 doubtful names settled
      ! python (4 files) is followed by names, and by types where those are guesses; what pyright did not check of it may be too much or too little
    "
  `);
});

test("does not say that checked files are followed by names alone", async () => {
  const shop = GitRepository.of({
    "price.py": "def form(a: int) -> str:\n    return str(a)\n",
    "cart.py": "from price import form\n\n\ndef show() -> str:\n    return form(1)\n",
    "other.py": "def other() -> int:\n    return 1\n",
  });
  onTestFinished(() => shop.remove());
  shop.write({ "price.py": "def form(a: int, b: int) -> str:\n    return str(a + b)\n" });
  const { out } = await runAtTerminal(["impact"], { workingFolder: shop.folder });
  expect(out).toContain('the type checker reports: Argument missing for parameter "b"');
  expect(out).not.toContain("names alone");
});

/** A workspace with `price.py`, and `cart.py` with an import of it and three functions. */
function cartWith(statement: string, shown: string): string {
  return `${statement}\n\n\ndef show():\n    return ${shown}(1)\n\n\ndef put():\n    return rounded(1)\n\n\ndef rate():\n    return 3\n`;
}

const price = "def form(a):\n    return str(a) + 'EUR'\n\n\ndef rounded(a):\n    return a // 100\n";

test.each([
  ["of a complete rename", "from price import form, rounded", "form", "from price import view, rounded", "view", []],
  ["with a use left", "from price import form, rounded", "form", "from price import view, rounded", "form", ["show"]],
  [
    "of a rename behind an alias",
    "from price import form as f, rounded",
    "f",
    "from price import view as f, rounded",
    "f",
    [],
  ],
  [
    "that gives an alias to another",
    "from price import form as f, rounded",
    "f",
    "from price import rounded, rounded as f",
    "f",
    ["show"],
  ],
  ["that adds a name", "from price import form, rounded", "form", "from price import form, other, rounded", "form", []],
] as const)(
  "follows a changed import, %s, to uses of the changed names only",
  async (_, before, use, after, nextUse, toDo) => {
    const shop = GitRepository.of({ "price.py": price, "cart.py": cartWith(before, use) });
    onTestFinished(() => shop.remove());
    shop.write({
      "price.py": after.includes("view") ? price.replace("form", "view") : `${price}\n\ndef other():\n    return 1\n`,
      "cart.py": cartWith(after, nextUse),
    });
    const { out, err } = await runAtTerminal(["impact", "--json"], { workingFolder: shop.folder });
    const report = JSON.parse(out) as ImpactJson;
    expect([err, report.affected.flatMap(({ status, block }) => (status === "to-do" ? [block.name] : []))]).toEqual([
      "",
      toDo,
    ]);
  },
);
