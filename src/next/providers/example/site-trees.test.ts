import { expect, test } from "vitest";
import { EditHistory } from "../../../context/index.ts";
import { Edit } from "../../../text/index.ts";
import { TextIndex } from "../../engine/text-index.ts";
import { trustNames } from "../../feedback/provider-calibration.ts";
import { ExampleProvider } from "./example-provider.ts";
import { siteNames, siteNumbers } from "./site-features.ts";
import { siteTrees } from "./site-trees.ts";

test("the features of a site are in the order that the trees were fitted to", () => {
  const before = "one(1);\nrest();\none(2);\n";
  const history = new EditHistory();
  const edit = Edit.replace({ start: 0, end: 3 }, "two");
  history.record("a.ts", before, edit, 0);
  const text = edit.apply(before);
  const files = new TextIndex();
  files.update("a.ts", text);
  const context = { path: "a.ts", language: "typescript", text, cursor: 3, history: history.entries(0), files };
  const [first] = new ExampleProvider().proposeJudged(context);
  expect([...siteNames(first!.features), ...trustNames]).toEqual(siteTrees.features);
  expect(siteNumbers(first!.features)).toHaveLength(siteTrees.features.length - trustNames.length);
  expect(siteNumbers(first!.features).every(Number.isFinite)).toBe(true);
});
