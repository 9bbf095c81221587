import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { whenHolds } from "./fixtures/when-clause.ts";

const { keybindings } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8")).contributes as {
  readonly keybindings: readonly {
    readonly command: string;
    readonly key: string;
    readonly mac?: string;
    readonly when: string;
  }[];
};

/** See `export-default-keys.mts`. */
const defaultKeys: Readonly<Record<"linux" | "mac" | "windows", readonly string[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures/default-keys.json"), "utf8"),
);

/**
 * The command of Emend that a key runs in the text editor: the way to a next edit, then the
 * context keys that are true, or `key=value`.
 */
function commandFor(key: string, state: string): string {
  const [way, ...others] = state.split(" ");
  const keys: Record<string, unknown> = { editorTextFocus: true };
  if (way !== "nothing") keys["emend.nextEdit"] = way;
  for (const other of others) {
    const [name, value] = other.split("=");
    keys[name!.replace(/^!/, "")] = value ?? !name!.startsWith("!");
  }
  const taken = keybindings.filter((binding) => binding.key === key && whenHolds(binding.when, keys));
  return taken.map(({ command }) => command.replace("emend.nextEdit.", "")).join(" ") || "the editor's";
}

const systems = ["linux", "mac", "windows"] as const;

test.each(systems)("the key of an edit with an instruction is none of VS Code's own keys on %s", (system) => {
  const binding = keybindings.find(({ command }) => command === "emend.editWithInstruction")!;
  const key = system === "mac" ? binding.mac! : binding.key;
  const chord = key.split(" ");
  // A key is also taken by a chord that begins with it, and by its own beginning.
  const rivals = defaultKeys[system].filter(
    (other) => `${other} `.startsWith(`${key} `) || (other !== chord[0] && `${key} `.startsWith(`${other} `)),
  );
  expect(rivals).toEqual([]);
});

test("no key is one that types a character: AltGr on Windows and Linux, Option on a Mac", () => {
  const character = /\bctrl\+(?:shift\+)?alt\+\S(?: |$)/;
  const characterOnMac = /(?:^| )(?:shift\+)?alt\+\S(?: |$)/;
  expect(keybindings.filter(({ key }) => character.test(key))).toEqual([]);
  expect(keybindings.filter(({ key, mac = key }) => characterOnMac.test(mac))).toEqual([]);
  expect("ctrl+alt+i").toMatch(character);
  expect("shift+alt+i").toMatch(characterOnMac);
});

describe("Tab", () => {
  test.each([
    ["nothing", "the editor's"],
    ["here", "accept"],
    ["away", "goTo"],
    ["elsewhere", "goTo"],
    // The key of VS Code accepts ghost text.
    ["ghost-text", "the editor's"],
    ["here emend.isIndenting", "the editor's"],
    ["away emend.isIndenting", "the editor's"],
    ["elsewhere emend.isIndenting", "the editor's"],
    ["here editorHasSelection", "the editor's"],
    ["away editorHasSelection", "the editor's"],
    ["here editorHasMultipleSelections", "the editor's"],
    ["here suggestWidgetVisible", "the editor's"],
    ["away suggestWidgetVisible", "the editor's"],
    ["here inlineSuggestionVisible", "the editor's"],
    ["away inlineSuggestionVisible", "the editor's"],
    ["here inlineEditIsVisible", "the editor's"],
    ["here inSnippetMode", "the editor's"],
    ["away inSnippetMode", "the editor's"],
    ["here hasSnippetCompletions", "the editor's"],
    ["here editorTabMovesFocus", "the editor's"],
    ["here editorReadonly", "the editor's"],
    // Outside of the text, such as in a list or a search box.
    ["here !editorTextFocus", "the editor's"],
    // In Vim's normal mode Tab goes through the jump list.
    ["here vim.active vim.mode=Normal", "the editor's"],
    ["here vim.active vim.mode=Insert", "accept"],
  ])("with %s: %s", (state, expected) => {
    expect(commandFor("tab", state)).toBe(expected);
  });
});

describe("Escape", () => {
  test.each([
    ["nothing", "the editor's"],
    ["here", "reject"],
    ["away", "reject"],
    ["elsewhere", "reject"],
    ["away emend.isIndenting", "reject"],
    ["here suggestWidgetVisible", "the editor's"],
    ["here inlineSuggestionVisible", "emend.dismissGhostText"],
    ["nothing inlineSuggestionVisible", "emend.dismissGhostText"],
    ["nothing inlineSuggestionVisible suggestWidgetVisible", "the editor's"],
    ["nothing inlineSuggestionVisible inSnippetMode", "the editor's"],
    ["nothing inlineSuggestionVisible editorHasMultipleSelections", "the editor's"],
    ["nothing inlineSuggestionVisible vim.active vim.mode=Insert", "the editor's"],
    ["here inSnippetMode", "the editor's"],
    ["here editorHasSelection", "the editor's"],
    ["here editorHasMultipleSelections", "the editor's"],
    ["here findWidgetVisible", "the editor's"],
    ["here parameterHintsVisible", "the editor's"],
    ["here renameInputVisible", "the editor's"],
    ["here !editorTextFocus", "the editor's"],
    // In Vim's insert mode Escape leaves that mode.
    ["here vim.active vim.mode=Insert", "the editor's"],
    ["here neovim.init", "the editor's"],
  ])("with %s: %s", (state, expected) => {
    expect(commandFor("escape", state)).toBe(expected);
  });
});

test("the key that accepts a chain exists only where the suggestion has a chain", () => {
  expect(commandFor("ctrl+alt+enter", "away")).toBe("the editor's");
  expect(commandFor("ctrl+alt+enter", "away emend.nextEditHasChain")).toBe("acceptAll");
  expect(commandFor("ctrl+alt+enter", "away emend.nextEditHasChain findWidgetVisible")).toBe("the editor's");
});
