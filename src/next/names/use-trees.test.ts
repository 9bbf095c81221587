import { expect, test } from "vitest";
import { parseScriptTree } from "../../codebase/node/index.ts";
import { EditHistory } from "../../context/index.ts";
import { Edit } from "../../text/index.ts";
import { trustNames } from "../earned-trust.ts";
import { TextIndex } from "../text-index.ts";
import { NameSource } from "./name-source.ts";
import { NameTables } from "./name-tables.ts";
import { useTrees } from "./use-trees.ts";

test("trees are asked in the order of what they were fitted to", () => {
  const before = "const first = 1;\nuse(first);\n";
  const history = new EditHistory();
  const edit = Edit.replace({ start: 6, end: 11 }, "second");
  history.record("a.ts", before, edit, 0);
  const text = edit.apply(before);
  const files = new TextIndex();
  files.update("a.ts", text);
  const moment = { path: "a.ts", language: "typescript", text, cursor: 12, history: history.entries(0), files };
  const [found] = new NameSource(new NameTables({ parseScript: parseScriptTree })).proposeJudged(moment);
  expect([...Object.keys(found!.features), ...trustNames]).toEqual(useTrees.features);
  expect(Object.values(found!.features).every(Number.isFinite)).toBe(true);
});
