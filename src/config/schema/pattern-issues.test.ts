import { describe, expect, test } from "vitest";
import { tryEntriesOf } from "../entries.ts";
import { checkSettings } from "./check-settings.ts";

/** The messages about settings of a person's own file. */
function messagesFor(settings: object): string {
  const entries = tryEntriesOf(settings, { kind: "user", path: "/home/me/emend.config.json" } as never)!;
  return checkSettings(entries, "/work")
    .issues.map(({ message }) => message)
    .join("\n");
}

describe("row 53: a pattern that cannot match is rejected with a form that works", () => {
  describe.each(["complete", "next"])("%s", (section) => {
    test.each([
      ["folders", "/src", "`src`"],
      ["folders", "src\\deep", "`src/deep`"],
      ["folders", "\\src\\deep", "`src/deep`"],
      ["folders", "!src", "`src`"],
      ["folders", "src//deep", "`src/deep`"],
      ["folders", "../src", "`vendor`"],
      ["folders", "C:\\src", "`vendor`"],
      ["folders", "~/src", "`vendor`"],
      ["folders", ".", "`**`"],
      ["folders", "/", "`**`"],
      ["folders", "", "`**`"],
      ["fileTypes", "src\\*.ts", "`src/*.ts`"],
      ["fileTypes", "/a.ts", "`a.ts`"],
      ["fileTypes", "python", "`.py`"],
      ["languages", "ts", "`typescript`"],
      ["languages", ".ts", "`typescript`"],
      ["languages", "*.tsx", "`typescriptreact`"],
      ["languages", "py", "`python`"],
      ["languages", "c++", "`cpp`"],
      ["folders", "{a,b}".repeat(9), "at most 256 alternatives"],
      ["folders", "**/a".repeat(1_025), "at most 4,096 characters"],
      ["fileTypes", `*.{${"a,".repeat(256)}b}`, "at most 256 alternatives"],
      ["languages", "C#", "`csharp`"],
      ["languages", "golang", "`go`"],
      ["languages", "yml", "`yaml`"],
      ["languages", "type*", "`typescript`"],
    ])("%s: %j: %s", (setting, key, form) => {
      const message = messagesFor({ [section]: { [setting]: { [key]: false } } });
      expect(message).toContain(`${section}.${setting}`);
      expect(message).toContain(form);
    });

    test.each([
      ["folders", "**/src"],
      ["folders", "src/**"],
      ["folders", "./src"],
      ["folders", "packages/*/src"],
      ["folders", "docs/"],
      ["folders", "**"],
      ["fileTypes", "*.ts"],
      ["fileTypes", ".ts"],
      ["fileTypes", "go"],
      ["fileTypes", "Makefile"],
      ["languages", "*"],
      ["languages", "fsharp"],
      ["languages", "mdx"],
      ["languages", "log"],
    ])("%s: %j is accepted", (setting, key) => {
      expect(messagesFor({ [section]: { [setting]: { [key]: false } } })).toBe("");
    });
  });

  test.each([
    ["~/work/*", "`~/work`"],
    ["/srv/code/**", "`/srv/code`"],
    ["work", "`~/work`"],
  ])("trust: %j: %s", (folder, form) => expect(messagesFor({ trust: [folder] })).toContain(form));

  test.each(["/srv/code", "~/work", "~", "C:\\work"])("trust: %j is accepted", (folder) => {
    expect(messagesFor({ trust: [folder] })).toBe("");
  });

  test("models: a glob is rejected as the name of a model", () => {
    expect(messagesFor({ models: { "ollama:*": { retries: 1 } } })).toContain("whole name");
  });

  test.each([
    ["X Team", "blue", "`X-Team`"],
    ["", "blue", "`X-Team`"],
    ["X-Team:", "blue", "`X-Team`"],
    ["X-Team", "blue\nX-Other: red", "one line"],
    ["X-Team", "青", "Latin letters"],
  ])("headers: %j with the value %j: %s", (name, value, form) => {
    const message = messagesFor({ models: { "ollama:a": { headers: { [name]: value } } } });
    expect(message).toContain('models["ollama:a"].headers');
    expect(message).toContain(form);
  });

  test.each([
    ["X-Team", "blue"],
    ["x_team", `\${TEAM}, \t"blé"`],
    ["x-none", ""],
  ])("headers: %j with the value %j is accepted", (name, value) => {
    expect(messagesFor({ models: { "ollama:a": { headers: { [name]: value } } } })).toBe("");
  });
});
