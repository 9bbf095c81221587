import { expect, test } from "vitest";
import { flagsOfEditor } from "./session-settings.ts";

test.each<[settings: unknown, flags: string]>([
  [{ complete: { maxLines: 3, languages: { python: false } } }, "complete.maxLines=3 complete.languages.python=false"],
  [{ model: ["builtin"], complete: null }, 'model=["builtin"]'],
  [{}, ""],
  [null, ""],
  [undefined, ""],
  ["text", ""],
  [[1, 2], ""],
])("the flags of the editor settings %j", (settings, flags) => {
  const printed = flagsOfEditor(settings).map(({ path, value }) => `${path.join(".")}=${JSON.stringify(value)}`);
  expect(printed.join(" ")).toBe(flags);
});

test("names the editor as the origin of an editor setting", () => {
  expect(flagsOfEditor({ complete: { maxLines: 3 } })[0]?.flag).toBe("emend.complete.maxLines of the editor");
});
