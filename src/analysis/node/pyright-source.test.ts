import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blockFinder } from "../graph/dependency-graph.ts";
import { PythonWorkspace } from "./fixtures/python-workspace.ts";

/** The files of all cases. Each method has a namesake elsewhere, so that its name is ambiguous. */
const common: Readonly<Record<string, string>> = {
  "lamps/__init__.py": "from .lamp import Lamp as Light, make\n",
  "lamps/lamp.py": `from dataclasses import dataclass
from typing import Protocol


class Switchable(Protocol):
    def switch(self): ...


class Lamp:
    def switch(self): ...

    @property
    def level(self): ...


class Dimmer(Lamp):
    def switch(self): ...


@dataclass
class Plan:
    level: int
    lamp: Lamp


def make():
    return sorted([Lamp()], key=id)[0]


def plans():
    return {"all": [Plan(1, Lamp())]}
`,
  "track.py": `class Track:
    def switch(self): ...

    def append(self, wagon): ...

    level = 1
`,
};

/**
 * The case, a file with \`¦\` before a name, and what the name refers to once pyright has resolved
 * it: roles and blocks.
 */
type Case = readonly [what: string, marked: string, refersTo: string];

const cases: readonly Case[] = [
  [
    "the unannotated result of a function",
    "from lamps import make\n\ndef use():\n    make().¦switch()",
    "call method Lamp.switch",
  ],
  [
    "what is imported under another name",
    "from lamps import make as build\n\ndef use():\n    one = build()\n    one.¦switch()",
    "call method Lamp.switch",
  ],
  [
    "a name that a package re-exports",
    "from lamps import Light\n\ndef use(all: dict[str, Light]):\n    for _, one in all.items():\n        one.¦switch()",
    "call method Lamp.switch",
  ],
  [
    "a narrowed type",
    "from lamps import Light\n\ndef use(one):\n    if isinstance(one, Light):\n        one.¦switch()",
    "call method Lamp.switch",
  ],
  [
    "one of two types of a union",
    "from lamps import Light\nfrom track import Track\n\ndef use(all: list[Light | Track]):\n    for one in reversed(all):\n        one.¦switch()",
    "call method Lamp.switch; call method Track.switch",
  ],
  [
    "an override and not the overridden method",
    "from lamps.lamp import Dimmer\n\ndef use(all: list[Dimmer]):\n    max(all, key=id).¦switch()",
    "call method Dimmer.switch",
  ],
  [
    "a member of a protocol and not of its implementation",
    "from lamps.lamp import Switchable\n\ndef use(all: list[Switchable]):\n    next(iter(all)).¦switch()",
    "call method Switchable.switch",
  ],
  ["a property", "from lamps import make\n\ndef use():\n    return make().¦level", "value accessor Lamp.get level"],
  [
    "a field of a dataclass",
    'from lamps.lamp import plans\n\ndef use():\n    return plans()["all"][0].¦level',
    "value field Plan.level",
  ],
  [
    "a member after a field",
    'from lamps.lamp import plans\n\ndef use():\n    plans()["all"][0].lamp.¦switch()',
    "call method Lamp.switch",
  ],
  ["a member of a built-in type", 'def use():\n    " a".split().¦append("b")', ""],
  [
    "a guess when its type is unknown",
    "def use(one):\n    one.¦switch()",
    "call method Dimmer.switch; call method Lamp.switch; call method Switchable.switch; call method Track.switch",
  ],
];

describe("PyrightSource.settle resolves a doubtful name to", () => {
  const paths = cases.map((_, index) => `case_${index}.py`);
  let workspace: PythonWorkspace;

  beforeAll(async () => {
    const own = cases.map(([, marked], index) => [paths[index]!, `${marked.replace("¦", "")}\n`] as const);
    workspace = await PythonWorkspace.of({ ...common, ...Object.fromEntries(own) });
    await workspace.source.resolveMembers({ paths });
  });
  afterAll(() => workspace.remove());

  for (const [index, [what, marked, refersTo]] of cases.entries()) {
    it(what, async () => {
      const [file] = await workspace.source.referencesOf([paths[index]!]);
      const references = file!.references
        .filter(({ start }) => start === marked.indexOf("¦"))
        .map(({ role, targetPath, targetStart }) => {
          const block = blockFinder(workspace.blocksOf(targetPath, workspace.texts.get(targetPath)!))(targetStart)!;
          return `${role} ${block.kind} ${block.name}`;
        });
      expect(references.sort().join("; ")).toBe(refersTo);
      expect(file!.unresolvedMembers?.some(({ start }) => start === marked.indexOf("¦"))).toBe(false);
    });
  }

  it("PyrightSource.settle looks a name up once, and again after a text has changed", async () => {
    expect((await workspace.source.resolveMembers({ paths })).queried).toBe(0);
    await workspace.source.update(new Map([["track.py", `${common["track.py"]}\n`]]));
    const { queried, known } = await workspace.source.resolveMembers({ names: new Set(["append"]) });
    expect([queried, known]).toEqual([1, 1]);
  });

  it("PyrightSource.settle leaves names doubtful above the limit", async () => {
    await workspace.source.update(new Map([["track.py", common["track.py"]!]]));
    const { queried, left } = await workspace.source.resolveMembers({ names: new Set(["switch"]), maxQuestions: 1 });
    expect([queried, left > 1]).toEqual([1, true]);
  });

  it("PyrightSource.settle writes nothing into the workspace", () => {
    expect(workspace.filesOnDisk).toEqual([...Object.keys(common), ...paths, "lamps"].sort());
  });
});
