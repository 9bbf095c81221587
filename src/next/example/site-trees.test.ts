import { expect, test } from "vitest";
import { EditHistory } from "../../context/index.ts";
import { Edit } from "../../text/index.ts";
import { trustNames } from "../earned-trust.ts";
import { TextIndex } from "../text-index.ts";
import { ExampleSource } from "./example-source.ts";
import { siteNames, siteNumbers } from "./site-likelihood.ts";
import { siteTrees } from "./site-trees.ts";

test("trees are asked in the order of what they were fitted to", () => {
  const before = "one(1);\nrest();\none(2);\n";
  const history = new EditHistory();
  const edit = Edit.replace({ start: 0, end: 3 }, "two");
  history.record("a.ts", before, edit, 0);
  const text = edit.apply(before);
  const files = new TextIndex();
  files.update("a.ts", text);
  const moment = { path: "a.ts", language: "typescript", text, cursor: 3, history: history.entries(0), files };
  const [first] = new ExampleSource().proposeJudged(moment);
  expect([...siteNames(first!.features), ...trustNames]).toEqual(siteTrees.features);
  expect(siteNumbers(first!.features)).toHaveLength(siteTrees.features.length - trustNames.length);
  expect(siteNumbers(first!.features).every(Number.isFinite)).toBe(true);
});
