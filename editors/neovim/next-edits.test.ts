import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../src/text/node/fixtures/remove-folder.ts";
import type { Neovim } from "./fixtures/neovim.ts";
import { luaValue, openScripted, supportedNeovims } from "./fixtures/start.ts";

/** An edit of a text: `[row, column, end row, end column]`, and the new text. */
type Change = readonly [place: readonly [number, number, number, number], text: string];

/** Scripts a next edit of the current buffer, or of another file. */
async function offer(
  neovim: Neovim,
  changes: readonly Change[],
  { uri = "", range = [0, 0, 0, 0] } = {},
): Promise<void> {
  const toRange = ([line, character, endLine, endCharacter]: readonly number[]) => ({
    start: { line, character },
    end: { line: endLine, character: endCharacter },
  });
  const edits = changes.map(([place, newText]) => ({ range: toRange(place), newText }));
  const own = uri === "" ? await neovim.lua<string>(`return vim.uri_from_bufnr(0)`) : uri;
  const suggestion = {
    ...{
      id: "next-1",
      textDocument: { uri: own, version: uri === "" ? 1 : null },
      edits,
      origin: "example",
      isReused: false,
      others: [],
    },
    ...{ range: edits[0]?.range ?? toRange(range), reason: "like your last edit", isElsewhere: uri !== "" },
    workspaceEdit: { changes: { [own]: edits } },
  };
  await neovim.lua(`script.next, script.log = ${luaValue({ kind: "offered", suggestion })}, {}`);
}

/** Changes the text by keys, and waits for the next edit. */
async function pause(neovim: Neovim): Promise<void> {
  await neovim.type("x");
  await neovim.until(`return require("emend").has_next_edit()`);
}

const nothingFollows = `script.next = { kind = "no-suggestion", reason = { kind = "nothing-follows" }, text = "Nothing follows." }`;
const hint = "  <Tab> like your last edit";

describe.each(supportedNeovims)("Neovim $version", (program) => {
  test("a next edit is drawn at its place with the removed and the inserted text", async () => {
    const cases: readonly [text: string, changes: readonly Change[], screen: string][] = [
      ["!one\ntwo(a)", [[[1, 4, 1, 5], "b"]], `|one\ntwo(ab)${hint}`],
      ["!one\ntwo", [[[1, 0, 1, 0], "new\nlines\n"]], `|one\nnew\nlines\ntwo${hint}`],
      ["!one\ntwo", [[[1, 3, 1, 3], "\nthree"]], `|one\ntwo${hint}\nthree`],
      ["!one\ntwo\nthree", [[[1, 0, 2, 0], "2\n"]], `|one\ntwo${hint}\n2\nthree`],
      ["!one\ntwo\nthree", [[[1, 1, 2, 2], "x\ny"]], `|one\ntwo${hint}\nthree\ntx\nyree`],
      ["!one\ntwo", [[[1, 1, 1, 3], ""]], `|one\ntwo${hint}`],
    ];
    const answers = [];
    for (const [text, changes] of cases) {
      const neovim = await openScripted(program, text);
      await offer(neovim, changes);
      await pause(neovim);
      answers.push([text, changes, await neovim.screen()]);
    }
    expect(answers).toEqual(cases);
  });

  test("one key goes to the next edit and then accepts it as one undo step", async () => {
    const neovim = await openScripted(program, "!one\ntwo\ntwo");
    await offer(neovim, [
      [[1, 0, 1, 3], "three"],
      [[2, 0, 2, 3], "three"],
    ]);
    await pause(neovim);
    await neovim.type("<Tab>");
    expect(await neovim.lua(`return vim.api.nvim_win_get_cursor(0)`)).toEqual([2, 0]);
    expect(await neovim.text()).toBe("one\ntwo\ntwo");
    await neovim.lua(nothingFollows);
    await neovim.type("<Tab>");
    expect(await neovim.text()).toBe("one\nthree\nthree");
    await neovim.until(`return vim.deep_equal(script.log, { "shown next-1", "accept next-1" })`);
    await neovim.type("u");
    expect(await neovim.text()).toBe("one\ntwo\ntwo");
    // Back to the place before the jump.
    await neovim.type("<C-o>");
    expect(await neovim.lua(`return vim.api.nvim_win_get_cursor(0)[1]`)).toBe(1);
  });

  test("a next edit is shown when insert mode ends, and hidden when it begins", async () => {
    const neovim = await openScripted(program, "one\ntwo");
    await offer(neovim, [[[1, 0, 1, 3], "three"]]);
    await neovim.type("A", "!");
    expect(await neovim.lua(`return require("emend").has_next_edit()`)).toBe(false);
    await neovim.type("<Esc>");
    await neovim.until(`return require("emend").has_next_edit()`);
    await neovim.type("i");
    expect(await neovim.screen()).toBe("one|!\ntwo");
  });

  test("a rejected next edit is not shown again, a hidden one may be, and Tab has its own meaning after both", async () => {
    const neovim = await openScripted(program, "!one\ntwo");
    await offer(neovim, [[[1, 0, 1, 3], "three"]]);
    await pause(neovim);
    await neovim.type("<Esc>");
    expect(await neovim.screen()).toBe("|one\ntwo");
    expect(await neovim.lua(`return script.log`)).toEqual(["shown next-1"]);
    await neovim.type("<Tab>");
    expect(await neovim.text()).toBe("one\ntwo");
    await pause(neovim);
    await neovim.type("<M-BS>");
    expect(await neovim.lua(`return script.log`)).toEqual(["shown next-1", "shown next-1", "reject next-1"]);
    expect(await neovim.screen()).toBe("|ne\ntwo");
  });

  test("a next edit in another file is accepted together with all edits that belong to it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emend-other-"));
    onTestFinished(() => removeFolder(folder));
    const path = join(folder, "other.ts");
    writeFileSync(path, "first\nsecond\n");
    const uri = pathToFileURL(path).href;
    const neovim = await openScripted(program, "!one\ntwo");
    await offer(neovim, [[[1, 0, 1, 6], "2nd"]], { uri });
    await pause(neovim);
    expect(await neovim.screen()).toBe(`|one  → ${path}:2${hint}\ntwo`);
    await neovim.type("<Tab>");
    expect(await neovim.lua(`return vim.api.nvim_buf_get_name(0)`)).toBe(path);
    expect(await neovim.screen()).toBe(`first\n|second2nd${hint}`);
    const chain = {
      changes: {
        [uri]: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } }, newText: "1st" }],
      },
    };
    await neovim.lua(`script.chain = ${luaValue(chain)} ${nothingFollows}`);
    await neovim.type("<M-CR>");
    await neovim.until(`return vim.tbl_contains(script.log, "accept next-1 chain")`);
    expect(await neovim.text()).toBe("1st\nsecond");
    expect(await neovim.lua(`return messages`)).toEqual(["Emend: 1 edit in 1 file, not saved yet."]);
  });

  test("`:Emend undo` takes the edits of several files back, unless one of them has changed since", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emend-undo-"));
    onTestFinished(() => removeFolder(folder));
    const path = join(folder, "other.ts");
    writeFileSync(path, "first\nsecond\n");
    const other = pathToFileURL(path).href;
    const neovim = await openScripted(program, "!one\ntwo");
    const undo = (): Promise<unknown> => neovim.lua(`messages = {} vim.cmd("Emend undo") return messages[1]`);
    const textOfOther = (): Promise<string> =>
      neovim.lua(`return table.concat(vim.fn.getbufline(vim.fn.bufnr(${luaValue(path)}), 1, "$"), "\\n")`);
    expect(await undo()).toBe("Emend: there is no change to undo.");
    const acceptAll = async () => {
      const uri = await neovim.lua<string>(`return vim.uri_from_bufnr(0)`);
      const change = (line: number, end: number, newText: string) => [
        { range: { start: { line, character: 0 }, end: { line, character: end } }, newText },
      ];
      await offer(neovim, [[[1, 0, 1, 3], "three"]]);
      await pause(neovim);
      const chain = { changes: { [uri]: change(1, 3, "three"), [other]: change(0, 5, "1st") } };
      await neovim.lua(`script.chain = ${luaValue(chain)} ${nothingFollows} messages = {}`);
      await neovim.type("<M-CR>");
      await neovim.until(`return messages[1]`);
      expect([await neovim.text(), await textOfOther()]).toEqual([expect.stringMatching(/\nthree$/), "1st\nsecond"]);
    };
    await acceptAll();
    expect(await neovim.lua(`return messages`)).toEqual([
      "Emend: 2 edits in 2 files, not saved yet; `:Emend undo` takes them back.",
    ]);
    expect(await undo()).toMatch(isUndoneInTwo);
    expect([await neovim.text(), await textOfOther()]).toEqual(["one\ntwo", "first\nsecond"]);
    expect(await undo()).toBe("Emend: there is no change to undo.");

    await acceptAll();
    // Saving changes no text.
    await neovim.lua(`vim.api.nvim_buf_call(vim.fn.bufnr(${luaValue(path)}), function() vim.cmd("silent write") end)`);
    await neovim.type("x");
    const typed = await neovim.text();
    expect(await undo()).toMatch(/changed since; `u` in each file undoes its part\.$/);
    expect([await neovim.text(), await textOfOther()]).toEqual([typed, "1st\nsecond"]);
    await neovim.type("u");
    expect(await undo()).toMatch(isUndoneInTwo);
    expect(await textOfOther()).toBe("first\nsecond");
  });

  /** The message names the files. */
  const isUndoneInTwo = /^Emend: the last change is undone in (?:\S+, )?\S*other\.ts(?:, [^,]+)?, not saved yet\.$/;

  test("each `:Emend undo` takes one more change back, and passes over those that `u` took back", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emend-undo-"));
    onTestFinished(() => removeFolder(folder));
    const path = join(folder, "other.ts");
    writeFileSync(path, "first");
    const other = pathToFileURL(path).href;
    const neovim = await openScripted(program, "one\ntwo");
    const own = await neovim.lua<string>(`return vim.uri_from_bufnr(0)`);
    const apply = (texts: Readonly<Record<string, string>>) => {
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
      const changes = Object.fromEntries(
        Object.entries(texts).map(([uri, newText]) => [uri, [{ range, newText }]] as const),
      );
      return neovim.lua(`require("emend.undo").apply(${luaValue({ changes })}, "utf-16")`);
    };
    const undo = async () => [
      await neovim.lua(`messages = {} vim.cmd("Emend undo") return messages[1]`),
      await neovim.text(),
    ];
    await apply({ [own]: "a ", [other]: "a " });
    await apply({ [own]: "b " });
    await apply({ [own]: "c " });
    await neovim.type("u");
    expect(await neovim.text()).toBe("b a one\ntwo");
    const isUndoneInOne = expect.stringMatching(/^Emend: the last change is undone in [^,]+, not saved yet\.$/);
    expect(await undo()).toEqual([isUndoneInOne, "a one\ntwo"]);
    expect(await undo()).toEqual([expect.stringMatching(isUndoneInTwo), "one\ntwo"]);
    expect(await undo()).toEqual(["Emend: there is no change to undo.", "one\ntwo"]);
    for (let time = 0; time < 25; time += 1) await apply({ [own]: "x" });
    for (let time = 0; time < 20; time += 1) await undo();
    expect(await undo()).toEqual(["Emend: there is no change to undo.", "xxxxxone\ntwo"]);
  });

  test("any change of a text ends the next edit with all that is drawn, and the next one is requested", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emend-stale-"));
    onTestFinished(() => removeFolder(folder));
    const path = join(folder, "other.ts");
    const drawn = `
      local space, count = vim.api.nvim_create_namespace("emend_next_edit"), 0
      for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        count = count + #vim.api.nvim_buf_get_extmarks(buffer, space, 0, -1, {})
      end
      return count
    `;
    const edit = (uri: string) => `{ changes = { ["${uri}"] = { {
      range = { start = { line = 0, character = 0 }, ["end"] = { line = 0, character = 0 } }, newText = "new " } } } }`;
    const uri = pathToFileURL(path).href;
    const cases: readonly (readonly [what: string, change: string])[] = [
      ["an edit by Emend in a hidden buffer", `require("emend.undo").apply(${edit(uri)}, "utf-16")`],
      ["its undo", `require("emend.undo").run()`],
      ["a change by another plugin", `vim.api.nvim_buf_set_lines(vim.fn.bufnr("other.ts"), 0, 0, true, { "x" })`],
    ];
    writeFileSync(path, "first\nsecond\n");
    const neovim = await openScripted(program, "!!!one\ntwo");
    await neovim.lua(`
      local other = vim.fn.bufadd(${luaValue(path)})
      vim.fn.bufload(other)
      vim.api.nvim_buf_call(other, script.follow)
    `);
    for (const [what, change] of cases) {
      await offer(neovim, [[[1, 0, 1, 6], "2nd"]], { uri });
      await neovim.lua(`script.next.suggestion.textDocument.version = 1`);
      await pause(neovim);
      expect(await neovim.lua(drawn), what).toBe(4);
      await neovim.lua(`${nothingFollows} script.requests = 0`);
      await neovim.lua(change);
      expect(await neovim.lua(`return require("emend").has_next_edit()`), what).toBe(false);
      await neovim.until(`return script.requests > 0`);
      expect(await neovim.lua(drawn), what).toBe(0);
    }
  });

  test("a next edit for the file on the disk is not shown in a buffer with another text", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emend-unsaved-"));
    onTestFinished(() => removeFolder(folder));
    const path = join(folder, "other.ts");
    writeFileSync(path, "first\nsecond\n");
    const neovim = await openScripted(program, "!one\ntwo");
    await neovim.lua(`
      other = vim.fn.bufadd(${luaValue(path)})
      vim.fn.bufload(other)
      vim.api.nvim_buf_set_lines(other, 0, 0, true, { "new" })
      local of = require("emend.client").of
      require("emend.client").of = function(buffer) if buffer ~= other then return of(buffer) end end
    `);
    await offer(neovim, [[[1, 0, 1, 6], "2nd"]], { uri: pathToFileURL(path).href });
    await neovim.lua(`vim.cmd("Emend next")`);
    await neovim.until(`return messages[1]`);
    expect(await neovim.lua(`return messages`)).toEqual([
      "Emend: the next edit is for the file on the disk, and its buffer is not saved.",
    ]);
    expect(await neovim.lua(`return require("emend").has_next_edit()`)).toBe(false);
  });

  test("a next edit in a file that was not open is accepted only if the file has not changed on the disk since", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emend-changed-"));
    onTestFinished(() => removeFolder(folder));
    const path = join(folder, "other.ts");
    writeFileSync(path, "first\nsecond\n");
    const answers = [];
    for (const changed of [[], ["src/other.ts"], ["src/other.ts", "src/more.ts"]]) {
      const neovim = await openScripted(program, "!one\ntwo");
      await offer(neovim, [[[1, 0, 1, 6], "2nd"]], { uri: pathToFileURL(path).href });
      await neovim.lua(`script.changed = ${luaValue(changed)}`);
      await pause(neovim);
      await neovim.lua(nothingFollows);
      await neovim.type("<Tab>");
      await neovim.until(`return vim.tbl_contains(script.log, "check next-1")`);
      await neovim.until(`return ${changed.length === 0} or messages[1]`);
      await neovim.type("<Tab>");
      answers.push([await neovim.text(), await neovim.lua(`return messages`)]);
    }
    const message = (files: string) =>
      `Emend: ${files} changed since the next edit was suggested. Nothing was changed.`;
    expect(answers).toEqual([
      ["first\n2nd", []],
      ["first\nsecond", [message("src/other.ts has")]],
      ["first\nsecond", [message("src/other.ts and 1 more have")]],
    ]);
  });

  test("a next edit stays when its file is saved", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emend-saved-"));
    onTestFinished(() => removeFolder(folder));
    const neovim = await openScripted(program, "!one\ntwo");
    await neovim.lua(`vim.api.nvim_buf_set_name(0, ${luaValue(join(folder, "saved.ts"))})`);
    await offer(neovim, [[[1, 0, 1, 3], "three"]]);
    await pause(neovim);
    await neovim.type(..."\u003awrite", "<CR>");
    expect(await neovim.lua(`return require("emend").has_next_edit()`)).toBe(true);
    await neovim.lua(nothingFollows);
    await neovim.type("<Tab>", "<Tab>");
    expect(await neovim.text()).toBe("one\nthree");
  });

  test("a next edit is requested again when the reason for none has passed, otherwise not", async () => {
    const neovim = await openScripted(program, "!one\ntwo");
    const noSuggestion = (kind: string, more = "") =>
      `script.next = { kind = "no-suggestion", reason = { kind = "${kind}" }, text = "" ${more} }`;
    await neovim.lua(`${noSuggestion("superseded", ", repeatAfterMs = 300")} script.requests = 0`);
    await neovim.type("x");
    await neovim.until(`return script.requests == 1`);
    await offer(neovim, [[[1, 0, 1, 3], "three"]]);
    await neovim.until(`return require("emend").has_next_edit()`);

    await neovim.lua(`${noSuggestion("nothing-follows")} script.requests = 0`);
    await neovim.type("x");
    await neovim.until(`return script.requests == 1`);
    await offer(neovim, [[[1, 0, 1, 3], "three"]]);
    expect(await neovim.lua(`vim.wait(1000, function() return script.requests > 1 end) return script.requests`)).toBe(
      1,
    );
  });

  test("a request by key reports why there is no next edit", async () => {
    const neovim = await openScripted(program, "one");
    await neovim.lua(`vim.cmd("Emend next")`);
    await neovim.until(`return messages[1] == "Emend: Nothing follows."`);
  });
});
