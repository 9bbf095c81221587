import { describe, expect, test } from "vitest";
import { explicitSettings } from "./src/explicit-settings.ts";
import { serverCommand } from "./src/server-command.ts";
import { type StatusFacts, statusText } from "./src/status-text.ts";

describe("explicitSettings", () => {
  const values = {
    model: { globalValue: "builtin", workspaceValue: "openai:x" },
    "complete.enabled": {},
    "complete.languages": { globalValue: { go: false }, workspaceValue: { go: true, rust: false } },
    "next.enabled": { workspaceFolderValue: false },
  };
  const inspect = (name: string) => values[name as keyof typeof values];
  const names = [...Object.keys(values), "unknown"];

  test("values that are not set are left out, and the narrower scope wins, name by name in objects", () => {
    expect(explicitSettings(names, inspect, true)).toEqual({
      ...{ model: "openai:x", next: { enabled: false } },
      complete: { languages: { go: true, rust: false } },
    });
  });

  test("settings of an untrusted workspace are ignored", () => {
    const own = { model: "builtin", complete: { languages: { go: false } } };
    expect(explicitSettings(names, inspect, false)).toEqual(own);
  });
});

test.each([
  ["", false, "NODE bundled/main.js lsp --stdio"],
  ["", true, "NODE bundled/main.js lsp --stdio --trust"],
  ["/opt/emend/main.mjs", false, "NODE /opt/emend/main.mjs lsp --stdio"],
  ["/usr/bin/emend", false, "/usr/bin/emend lsp --stdio"],
])("serverCommand: path %j, trusted %j: %s", (path, isTrusted, expected) => {
  const { command, args, environment } = serverCommand({ path, isTrusted, bundled: "bundled/main.js", node: "NODE" });
  expect([command, ...args].join(" ")).toBe(expected);
  // Electron runs as Node.js only with this variable.
  expect(environment).toEqual(command === "NODE" ? { ELECTRON_RUN_AS_NODE: "1" } : {});
});

describe("statusText", () => {
  const running: StatusFacts = { server: "running", isLearning: false, isRestricted: false };
  const off = { kind: "language-off", text: "Switched off for markdown by complete.languages." };
  test.each<[string, Partial<StatusFacts>, string]>([
    ["ready", {}, "$(edit-sparkle) Emend|Ready.|normal"],
    ["learning", { isLearning: true }, "$(sync~spin) Emend: learning|The workspace is being learnt.|normal"],
    [
      "learning with a number of files",
      { isLearning: true, learning: { done: 3, of: 7 } },
      "$(sync~spin) Emend: learning|The workspace is being learnt. 3 of 7 files are learnt.|normal",
    ],
    ["starting", { server: "starting" }, "$(loading~spin) Emend|The language server is starting.|normal"],
    [
      "failed",
      { server: "failed", noSuggestion: off },
      "$(error) Emend: failed|The language server is not running. See the log for the reason.|error",
    ],
    ["off for a language", { noSuggestion: off }, `$(circle-slash) Emend: off here|${off.text}|normal`],
    [
      "no suggestion for a moment",
      { noSuggestion: { kind: "low-acceptance", text: "Filtered out." } },
      "$(edit-sparkle) Emend|No suggestion: Filtered out.|normal",
    ],
    [
      "a failing model",
      { noSuggestion: { kind: "no-model", text: "Set one." } },
      "$(warning) Emend: no model|Set one.|warning",
    ],
    [
      "a model that is loading",
      { failedModel: { name: "ollama:m", problem: "Ask again in a moment.", isLoading: true }, noSuggestion: off },
      "$(loading~spin) Emend: loading ollama:m|Ask again in a moment.|normal",
    ],
    [
      "snoozed",
      { snoozedMinutes: 4, noSuggestion: off },
      "$(bell-slash) Emend: snoozed, 4 min|Automatic suggestions are snoozed. Requests by key are not; the menu ends the snooze.|normal",
    ],
    [
      "a next edit",
      { nextEdit: "next edit in line 6", noSuggestion: off },
      "$(edit-sparkle) Emend: next edit in line 6|Tab goes to the next edit and accepts it, Escape rejects it.|normal",
    ],
  ])("%s", (_, facts, expected) => {
    const { text, tooltip, severity } = statusText({ ...running, ...facts });
    expect([text, tooltip, severity].join("|")).toBe(expected);
  });

  test("the status text contains that the workspace is not trusted", () => {
    expect(statusText({ ...running, isRestricted: true }).tooltip).toContain("not trusted");
  });
});
