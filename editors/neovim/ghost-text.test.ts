import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../src/text/node/fixtures/remove-folder.ts";
import type { Neovim } from "./fixtures/neovim.ts";
import { luaValue, openScripted, supportedNeovims } from "./fixtures/start.ts";

/**
 * The scripted suggestion: a text for the range between « and » of a line, with the cursor at `|`.
 */
async function offer(neovim: Neovim, marked: string, ...texts: readonly string[]): Promise<void> {
  const plain = marked.replace(/[«»|]/g, "");
  const at = (mark: string) => {
    const before = marked.slice(0, marked.indexOf(mark)).replace(/[«»|]/g, "");
    const lines = before.split("\n");
    return { line: lines.length - 1, character: lines.at(-1)!.length };
  };
  const range = marked.includes("«") ? { start: at("«"), end: at("»") } : { start: at("|"), end: at("|") };
  const items = texts.map((insertText, index) => ({
    ...{ insertText, range },
    command: { title: "Accepted", command: "accepted", arguments: [`item-${index + 1}`] },
  }));
  const cursor = at("|");
  const before = plain.split("\n")[cursor.line]!.slice(0, cursor.character);
  await neovim.lua(`
    script.items, script.log = ${luaValue(items)}, {}
    vim.api.nvim_buf_set_lines(0, 0, -1, true, ${luaValue(plain.split("\n"))})
    vim.api.nvim_win_set_cursor(0, { ${cursor.line + 1}, ${Buffer.byteLength(before)} })
  `);
}

/** Starts insert mode at the cursor, or at the end of its line, and waits for ghost text. */
async function insert(neovim: Neovim, where: "here" | "at the end" = "at the end"): Promise<void> {
  await neovim.lua(`vim.cmd("startinsert${where === "here" ? "" : "!"}")`);
  await neovim.until(`return require("emend").is_visible()`);
}

/** The text with the cursor at `|`. */
function textWithCursor(neovim: Neovim): Promise<string> {
  return neovim.lua(`
    local row, column = unpack(vim.api.nvim_win_get_cursor(0))
    local lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
    lines[row] = lines[row]:sub(1, column) .. "|" .. lines[row]:sub(column + 1)
    return table.concat(lines, "\\n")
  `);
}

describe.each(supportedNeovims)("Neovim $version", (program) => {
  test("ghost text is drawn at the place where it will be inserted", async () => {
    const neovim = await openScripted(program, "");
    const seen = async (marked: string, text: string) => {
      await offer(neovim, marked, text);
      await insert(neovim, /\|»?(\n|$)/.test(marked) ? "at the end" : "here");
      const screen = await neovim.screen();
      await neovim.lua(`vim.cmd("stopinsert")`);
      await neovim.until(`return vim.api.nvim_get_mode().mode == "n"`);
      return screen;
    };
    const cases: readonly [marked: string, text: string, screen: string][] = [
      ["const one = |", "1;", "const one = |1;"],
      ["foo(«ba|)»", "bar, baz)", "foo(ba|r, baz)"],
      ["foo(«|)»;", "bar(1), 2)", "foo(|bar(1), 2);"],
      ["if (one) {|\n}", "\n  two();", "if (one) {|\n  two();\n}"],
      ["call(|, last)", "first,\n  second", "call(|first,\n  second, last)"],
      ["call(«|)»;\nend", "() => {\n  two();\n})", "call(|() => {\n  two();\n});\nend"],
      ["größe = «grö|»", "größer", "größe = grö|ßer"],
      ["x = |", "a\tb", "x = |a   b"],
      ["é😀 = «é|»", "é😀", "é😀 = é|😀"],
    ];
    const answers = [];
    for (const [marked, text] of cases) answers.push([marked, text, await seen(marked, text)]);
    expect(answers).toEqual(cases);
  });

  test("ghost text is accepted by word, by line and in whole, and each is one undo step", async () => {
    const neovim = await openScripted(program, "");
    await offer(neovim, "call(«|)»;", "first.item, () => {\n  two();\n})");
    await insert(neovim, "here");
    const states: string[] = [];
    for (const key of ["<M-Right>", "<M-Right>", "<M-C-Right>", "<Tab>"]) {
      await neovim.type(key);
      states.push(await textWithCursor(neovim));
    }
    expect(states).toEqual([
      "call(first|);",
      "call(first.|);",
      "call(first.item, () => {|);",
      "call(first.item, () => {\n  two();\n})|;",
    ]);
    expect(await neovim.lua(`return script.log`)).toEqual([
      "didShowCompletion item-1",
      "didPartiallyAcceptCompletion item-1 5",
      "didPartiallyAcceptCompletion item-1 6",
      "didPartiallyAcceptCompletion item-1 19",
      "accepted item-1",
    ]);
    await neovim.lua(`script.items = {}`);
    await neovim.type("<Esc>");
    const undone: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      await neovim.type("u");
      undone.push(await neovim.text());
    }
    expect(undone).toEqual(["call(first.item, () => {);", "call(first.);", "call(first);", "call();"]);
  });

  test("ghost text stays while the typed text matches it, and is removed otherwise", async () => {
    const neovim = await openScripted(program, "");
    await offer(neovim, "return |", "items.length;");
    await insert(neovim);
    await neovim.lua(`script.items = {}`);
    await neovim.type("it");
    expect(await neovim.screen()).toBe("return it|ems.length;");
    await neovim.type("s");
    expect(await neovim.screen()).toBe("return its|");
  });

  test("a key cycles to another suggestion, and a dismissed suggestion is not shown again", async () => {
    const neovim = await openScripted(program, "");
    await offer(neovim, "return |", "one;", "two;", "three;");
    await insert(neovim);
    const screens = [await neovim.screen()];
    for (const key of ["<M-]>", "<M-]>", "<M-]>", "<M-[>"]) {
      await neovim.type(key);
      screens.push(await neovim.screen());
    }
    expect(screens).toEqual(["return |one;", "return |two;", "return |three;", "return |one;", "return |three;"]);
    await neovim.type("<C-]>");
    expect(await neovim.screen()).toBe("return |");
    await neovim.until(`return vim.tbl_contains(script.log, "notifyRejected item-3")`);
    await neovim.type("<Esc>", "a");
    expect(await neovim.lua(`return vim.wait(500, require("emend").is_visible, 10)`)).toBe(false);
    await neovim.type("<M-Bslash>");
    await neovim.until(`return require("emend").is_visible()`);
  });

  test("saving the file keeps the answer to a request, and a dismissed suggestion dismissed", async () => {
    const neovim = await openScripted(program, "");
    const folder = mkdtempSync(join(tmpdir(), "emend-saved-"));
    onTestFinished(() => removeFolder(folder));
    await neovim.lua(`vim.api.nvim_buf_set_name(0, ${luaValue(join(folder, "text"))})`);
    const save = async () => {
      await neovim.lua(`vim.bo.modified = true`);
      const before = await neovim.lua<number>(`return vim.b.changedtick`);
      await neovim.lua(`vim.cmd("silent write!")`);
      expect(await neovim.lua(`return vim.b.changedtick`)).toBeGreaterThan(before);
    };
    await offer(neovim, "return |", "one;");
    await neovim.lua(`script.is_silent = true vim.cmd("startinsert!")`);
    await neovim.until(`return script.answer`);
    await save();
    await neovim.lua(`script.answer()`);
    expect(await neovim.screen()).toBe("return |one;");

    await neovim.type("<C-]>");
    await save();
    await neovim.lua(`script.is_silent, script.answer = false, nil require("emend.ghost").again()`);
    expect(await neovim.lua(`return vim.wait(500, function() return script.answer end, 10)`)).toBe(false);
  });

  test("Tab keeps its meaning while the user indents, has a menu open or is in a snippet", async () => {
    const neovim = await openScripted(program, "");
    const options = `vim.bo.expandtab, vim.bo.shiftwidth, vim.bo.autoindent = true, 2, true`;
    await neovim.lua(options);

    await offer(neovim, "if (a) {\n|\n}", "  b();");
    await insert(neovim);
    await neovim.type("<Tab>");
    expect(await neovim.text()).toMatch(/^if \(a\) \{\n +\n\}$/);
    expect(await neovim.lua(`return require("emend").is_visible()`)).toBe(true);
    await neovim.type("<Tab>");
    expect(await neovim.text()).toMatch(/^if \(a\) \{\n +\n\}$/);
    await neovim.type("<Esc>");

    // The line is indented already, so Tab accepts the ghost text.
    await offer(neovim, "if (a) {\n  |\n}", "b();");
    await insert(neovim);
    await neovim.type("<Tab>", "<Esc>");
    expect(await neovim.text()).toBe("if (a) {\n  b();\n}");

    await offer(neovim, "items iterate it|", "em");
    await insert(neovim);
    await neovim.type("<C-x>", "<C-n>");
    expect(await neovim.lua(`return vim.fn.pumvisible()`)).toBe(1);
    expect(await neovim.lua(`return require("emend").is_visible()`)).toBe(false);
    await neovim.type("<C-e>", "<Esc>");

    await offer(neovim, "|");
    await neovim.type("i");
    await neovim.lua(`script.items = { { insertText = "never" } } vim.snippet.expand("for (\${1:one}) \${2:two}")`);
    await neovim.until(`return vim.api.nvim_get_mode().mode == "s"`);
    await neovim.type("o");
    await neovim.until(`return require("emend").is_visible()`);
    await neovim.type("<Tab>");
    await neovim.until(`return vim.api.nvim_get_mode().mode == "s"`);
    expect(await neovim.text()).toBe("for (o) two");
  });

  test("a model that only refuses an instruction is not reported as failing, other failures are, once", async () => {
    const failed = (failure: string) => ({ name: "m", problem: "p", failure, isLoading: false });
    const noSuggestion = { kind: "model-failed", text: "", uri: "" };
    const message = "Emend: a model failed: see `:Emend status`, or `:Emend setup`.";
    const cases: readonly (readonly [condition: object, label: string, messages: readonly string[]])[] = [
      [{}, "Emend", []],
      [{ failedModel: failed("unsupported") }, "Emend", []],
      [{ failedModel: failed("unsupported"), noSuggestion }, "Emend: model failed", [message]],
      [{ failedModel: failed("unreachable") }, "Emend: model failed", [message]],
    ];
    for (const [condition, label, messages] of cases) {
      const neovim = await openScripted(program, "one");
      for (let time = 0; time < 2; time += 1) {
        await neovim.lua(
          `require("emend.status") require("emend.client").handlers["emend/didChangeStatus"](${luaValue(condition)}, 1)`,
        );
      }
      expect([await neovim.lua(`return require("emend").statusline()`), await neovim.lua(`return messages`)]).toEqual([
        label,
        messages,
      ]);
    }
  });

  test("a key that the user has mapped keeps its mapping", async () => {
    const neovim = await openScripted(program, "");
    await neovim.lua(`vim.keymap.set("i", "<C-l>", "mine") require("emend").setup({ keys = { accept = "<C-l>" } })`);
    expect(await neovim.lua(`return require("emend.keys").state.accept`)).toEqual({ key: "<C-l>", taken_by: "mine" });
    await neovim.type("i", "<C-l>");
    expect(await neovim.text()).toBe("mine");
  });
});
