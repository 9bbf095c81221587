import { expect, test } from "vitest";
import { EditHistory } from "../../../context/index.ts";
import { NameTables } from "../../../names/name-tables.ts";
import { parseScriptTree } from "../../../names/node/index.ts";
import { Edit } from "../../../text/index.ts";
import { TextIndex } from "../../engine/text-index.ts";
import { trustNames } from "../../feedback/provider-calibration.ts";
import { RenameProvider } from "./rename-provider.ts";
import { useTrees } from "./use-trees.ts";

test("the features of a rename's place are in the order that the trees were fitted to", () => {
  const before = "const first = 1;\nuse(first);\n";
  const history = new EditHistory();
  const edit = Edit.replace({ start: 6, end: 11 }, "second");
  history.record("a.ts", before, edit, 0);
  const text = edit.apply(before);
  const files = new TextIndex();
  files.update("a.ts", text);
  const context = { path: "a.ts", language: "typescript", text, cursor: 12, history: history.entries(0), files };
  const [found] = new RenameProvider(new NameTables({ parseScript: parseScriptTree })).proposeJudged(context);
  expect([...Object.keys(found!.features), ...trustNames]).toEqual(useTrees.features);
  expect(Object.values(found!.features).every(Number.isFinite)).toBe(true);
});
