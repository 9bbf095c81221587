import { describe, expect, test } from "vitest";
import { explicitSettings } from "./src/explicit-settings.ts";
import { FailureMessages } from "./src/failure-messages.ts";
import { changedFiles, messageText, wrapped } from "./src/message-text.ts";
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
  const running: StatusFacts = {
    ...{ server: "running", isLearning: false, isRestricted: false, activeUri: "file:///a.md" },
  };
  const off = { kind: "language-off", text: "Switched off for markdown by complete.languages.", uri: "file:///a.md" };
  const gone: StatusFacts["failedModel"] = {
    ...{ name: "llamacpp:m", problem: "Nothing listens. Start `llama-server`." },
    ...{ failure: "unreachable" as const, isLoading: false },
  };
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
      { noSuggestion: { kind: "low-acceptance", text: "Filtered out.", uri: "file:///a.md" } },
      "$(edit-sparkle) Emend|No suggestion: Filtered out.|normal",
    ],
    [
      "a reason of another document",
      { noSuggestion: off, activeUri: "file:///b.ts" },
      "$(edit-sparkle) Emend|Ready.|normal",
    ],
    [
      "a failing model",
      { noSuggestion: { kind: "no-model", text: "Set one.", uri: "file:///b.md" } },
      "$(warning) Emend: no model|Set one.|warning",
    ],
    [
      "a model that is loading",
      {
        failedModel: { name: "ollama:m", problem: "Ask again in a moment.", failure: "busy", isLoading: true },
        noSuggestion: off,
      },
      "$(loading~spin) Emend: loading ollama:m|Ask again in a moment.|normal",
    ],
    [
      "a model that fails while the next one has suggestions",
      { failedModel: gone },
      "$(warning) Emend: model failed|llamacpp:m failed. Nothing listens. Start 'llama-server'.|warning",
    ],
    [
      "a model that fails, in a document without suggestions",
      { failedModel: gone, noSuggestion: off },
      `$(circle-slash) Emend: off here|${off.text}|normal`,
    ],
    [
      "a model that fails, and no suggestion for a moment",
      { failedModel: gone, noSuggestion: { kind: "low-acceptance", text: "Filtered out.", uri: "file:///a.md" } },
      "$(warning) Emend: model failed|llamacpp:m failed. Nothing listens. Start 'llama-server'.|warning",
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

// A status has the failing model as `MODEL-KIND`, `MODEL-loading`, or nothing where no model fails;
// `!` marks the statuses that become a message.
test.each<[name: string, statuses: string]>([
  ["a failure once, however often it is repeated", "a-unreachable! a-unreachable"],
  ["not a model that is loading, and its failure after that", "a-loading a-unreachable!"],
  ["a server that goes away after it has answered", "a-timed-out! - a-unreachable!"],
  ["a server that goes away again", "a-unreachable! - a-unreachable!"],
  ["other failures between answers once", "a-context-too-long! - a-context-too-long"],
  ["another kind, and another model", "a-no-key! a-unreachable! b-no-key! a-no-key"],
])("messages of failing models: %s", (_, statuses) => {
  const messages = new FailureMessages();
  const shown = statuses.split(" ").map((status) => {
    const [name = "", failure = ""] = status.replace("!", "").split(/(?<=^[ab])-/);
    const isLoading = failure === "loading";
    const failed = { name, problem: "It failed.", failure: (isLoading ? "busy" : failure) as "busy", isLoading };
    const isShown = messages.take(name === "-" ? undefined : failed) !== undefined;
    return `${status.replace("!", "")}${isShown ? "!" : ""}`;
  });
  expect(shown.join(" ")).toBe(statuses);
});

test("messages have no Markdown", () => {
  expect(messageText("Set `edit.model`, or run `emend setup`.")).toBe("Emend: Set 'edit.model', or run 'emend setup'.");
});

test.each([
  ["a.ts", "a.ts"],
  ["a.ts b.ts c.ts d.ts", "a.ts, b.ts, c.ts, d.ts"],
  ["a.ts b.ts c.ts d.ts e.ts", "a.ts, b.ts, c.ts and 2 more files"],
])("changedFiles: %s", (paths, expected) => {
  expect(changedFiles(paths.split(" "))).toBe(expected);
});

test.each([
  ["", ""],
  ["one two three", "one two|three"],
  ["a-long-word and more", "a-long-word|and more"],
])("wrapped in 8 columns: %s", (text, expected) => {
  expect(wrapped(text, 8).join("|")).toBe(expected);
});
