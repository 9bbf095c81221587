import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildPackage, main } from "../../src/cli/fixtures/run-cli.ts";
import { ServerWorkspace } from "../../src/cli/fixtures/server-workspace.ts";
import { luaText, type Neovim } from "./fixtures/neovim.ts";
import { openWorkspace, startNeovim, supportedNeovims } from "./fixtures/start.ts";

let work: ServerWorkspace;
beforeAll(buildPackage);
beforeEach(() => {
  work = new ServerWorkspace();
});
afterEach(() => work[Symbol.dispose]());

/** The messages that a command shows. */
async function messagesOf(neovim: Neovim, command: string): Promise<readonly string[]> {
  await neovim.lua(`messages = {} vim.cmd(${luaText(command)})`);
  return neovim.lua(`return messages`);
}

/** The report of `:checkhealth emend`. */
async function health(neovim: Neovim): Promise<string> {
  await neovim.lua(`vim.cmd("checkhealth emend")`);
  const text = await neovim.text();
  await neovim.lua(`vim.cmd("tabclose")`);
  return text;
}

/** Where nothing listens. */
const unreachable = "llamacpp:http://127.0.0.1:9";

describe.each(supportedNeovims)("Neovim $version", (program) => {
  test("without a server, commands and :checkhealth show the reason and what helps", async () => {
    const start = (init: string) =>
      startNeovim(program, { environment: work.environment, folder: work.root, init, args: [work.file] });
    const failed = start("");
    const notCalled = 'Emend: `require("emend").setup({})` was not called; init.lua has to call it.';
    for (const command of ["Emend status", "Emend edit x", "Emend next", "Emend why", "Emend plan", "Emend snooze"])
      expect(await messagesOf(failed, command)).toEqual([notCalled]);
    expect(await health(failed)).toContain("ERROR `setup` was not called, so that nothing is suggested");

    const neovim = start(`require("emend").setup({ filetypes = { text = false } })`);
    await neovim.until(`return require("emend.client").of(0)`);
    await neovim.lua(`vim.cmd("enew")`);
    const noFile = "Emend: this buffer has no file; `:write FILE` gives it one.";
    for (const command of ["Emend edit x", "Emend next", "Emend why"])
      expect(await messagesOf(neovim, command)).toEqual([noFile]);
    await neovim.lua(`vim.cmd("edit notes.txt")`);
    expect(await messagesOf(neovim, "Emend edit x")).toEqual([
      "Emend: the option `filetypes` turns Emend off for text.",
    ]);
    expect(await health(neovim)).toContain("notes.txt: the option `filetypes` turns Emend off for text.");
    // The report is about the file that was shown last, in whatever window it is opened.
    expect(await health(neovim)).not.toContain("this buffer is not a file");
    await neovim.lua(`vim.cmd.edit(${luaText(work.file)})`);
    await neovim.lua(`vim.cmd.help() vim.cmd("botright new | terminal")`);
    expect(await health(neovim)).toMatch(/OK Emend works in .*new\.ts\n/);
    await neovim.lua(`vim.cmd("bwipeout! | helpclose")`);

    await neovim.lua(`vim.cmd.edit(${luaText(work.file)}) vim.cmd("Emend toggle")`);
    for (const command of ["Emend edit x", "Emend next", "Emend why", "Emend status", "Emend restart"])
      expect(await messagesOf(neovim, command)).toEqual(["Emend: Emend is off; `:Emend on` turns it on."]);
    expect(await neovim.lua(`return require("emend").statusline()`)).toBe("Emend off");
  });

  test("a command that is given while the server starts runs then, and so does ghost text", async () => {
    const neovim = startNeovim(program, {
      ...{ environment: work.environment, folder: work.root, args: [work.file] },
      init: `require("emend").setup({})`,
    });
    await neovim.type("G", "k", "A", work.typed);
    expect(await neovim.lua(`return require("emend").statusline()`)).toBe("Emend: starting");
    expect(await messagesOf(neovim, "Emend status")).toEqual(["Emend: the server is starting; the command runs then."]);
    await neovim.until(`return vim.api.nvim_buf_get_name(0) == "emend://status"`);
    expect(await neovim.text()).toMatch(/^Emend \d/);
    await neovim.lua(`vim.cmd("close")`);
    await neovim.until(`return require("emend").is_visible()`);
  });

  test("a server that was killed is started by the next request or by a command", async () => {
    const neovim = await openWorkspace(program, work);
    const kill = `
      local id = require("emend.client").of(0).id
      messages = {}
      for _, child in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do vim.uv.kill(child, "sigkill") end
      return id`;
    const first = await neovim.lua(kill);
    await neovim.until(`return messages[1]`);
    expect(await neovim.lua(`return messages`)).toEqual([
      "Emend: the server exited by signal 9; `:Emend restart` starts it.",
    ]);
    expect(await neovim.lua(`return require("emend").statusline()`)).toBe("Emend: stopped");
    expect(await health(neovim)).toMatch(/ERROR The server exited by signal 9[\s\S]*`:Emend restart` starts it/);
    await neovim.type("A", " ");
    const second = await neovim.until(`local server = require("emend.client").of(0) return server and server.id`);
    expect(second).not.toBe(first);
    await neovim.type("<Esc>");
    await neovim.lua(kill);
    await neovim.until(`return messages[1]`);
    await neovim.lua(`vim.cmd("Emend restart")`);
    await neovim.until(`return messages[3]`);
    expect(await neovim.lua(`return messages[3]`)).toBe("Emend: the server was restarted.");
    expect(await neovim.lua(`return require("emend.client").exit_text`)).toBe(undefined);
  });

  test("commands report words that they do not take, and what they turned on and off", async () => {
    const neovim = await openWorkspace(program, work);
    const rows: readonly (readonly [string, string])[] = [
      ["Emend status x", "`:Emend status` takes no argument, so `x` is not understood."],
      ["Emend next foo", "`:Emend next` takes no argument, so `foo` is not understood."],
      ["Emend on python extra", "`:Emend on` takes at most one argument, so `extra` is not understood."],
      ["2Emend status", "`:Emend status` takes no range."],
      ["Emend off foo", "`foo` is not a filetype of this Neovim."],
      ["Emend off typescript", "off for typescript"],
      ["Emend on", "on, but off for typescript; `:Emend on typescript` turns that on."],
      ["Emend on typescript", "on for typescript"],
      ["Emend on", "on"],
      ["Emend stop", "no edit is in progress."],
      ["Emend snooze -3", "`-3` is not a number of minutes from 0 to 1440."],
      [
        "Emend",
        "The commands of `:Emend` are: edit, next, off, on, plan, restart, setup, snooze, status, stop, toggle, trust, undo, why. `:help emend-commands` describes them.",
      ],
      [
        "Emend plan x",
        "`:Emend plan start [INSTRUCTION]` starts a plan, without INSTRUCTION from the uncommitted changes; `:Emend plan` lists the plans.",
      ],
    ];
    const answers: (readonly [string, string])[] = [];
    for (const [command] of rows) answers.push([command, (await messagesOf(neovim, command)).join("\n")]);
    expect(answers).toEqual(rows.map(([command, text]) => [command, `Emend: ${text}`]));
  });

  test(":Emend status and :checkhealth try the models, and name what is off", async () => {
    const chat = "openai-compatible:http://127.0.0.1:9#chat";
    const init = `require("emend").setup({ settings = { model = { "${unreachable}", "builtin" }, edit = { model = "${chat}" } } })`;
    const neovim = await openWorkspace(program, work, { init });
    await neovim.lua(`vim.cmd("Emend off python") vim.cmd("Emend status")`);
    await neovim.until(`return vim.api.nvim_buf_get_name(0) == "emend://status"`);
    const status = await neovim.text();
    expect(status).toContain("Off in this session: python");
    expect(status).toContain("1 open document,");
    await neovim.type("q");
    const report = await health(neovim);
    expect(report).toContain(`WARNING The model ${unreachable} was tried: `);
    expect(report).toContain("OK The model builtin was tried, and answers");
    expect(report).toContain(`WARNING The model ${chat} of \`edit.model\` was tried: `);
    expect(report).not.toContain("not tried yet");
    expect(report).toContain("Off in this session or in the options: python");

    // The failure is one line that fits the window, and the status line stays short.
    await neovim.lua(`messages = {}`);
    await neovim.type("G", "k", "A", work.typed);
    await neovim.until(`return messages[1]`);
    await neovim.type("x", "<BS>", "<Esc>");
    expect(await neovim.lua(`return messages`)).toEqual([
      "Emend: a model failed: see `:Emend status`, or `:Emend setup`.",
    ]);
    expect(await neovim.lua(`return require("emend").statusline()`)).toBe("Emend: model failed");
  });

  test(":Emend why explains what was typed last, not the automatic next edit after it", async () => {
    const neovim = await openWorkspace(program, work);
    await neovim.type("G", "k", "A", work.typed);
    await neovim.until(`return require("emend").is_visible()`);
    await neovim.type("<Esc>", "x");
    await neovim.until(`
      require("emend.status").ask(function(status) reason = status.lastNextEditReasonText end, error)
      vim.wait(300, function() return reason ~= nil end, 10)
      return reason
    `);
    const why = async (command: string) => {
      await neovim.lua(`vim.cmd("${command}")`);
      await neovim.until(`return vim.api.nvim_buf_get_name(0) == "emend://why"`);
      const text = await neovim.text();
      await neovim.type("q");
      return text;
    };
    const ghostText = await why("Emend why");
    expect(ghostText).toMatch(/^Ghost text at src\/new\.ts/);
    expect(ghostText).toContain("`:Emend why next-edit` shows the other trace.");
    expect(await why("Emend why next-edit")).toMatch(/^Next edit at src\/new\.ts/);
  });

  test(":Emend setup passes its options on, ends plainly, and names what outranks it", async () => {
    const stub = join(work.root, "stub-emend.mjs");
    writeFileSync(
      stub,
      `if (process.argv[2] !== "setup") await import(${JSON.stringify(main)});
else { console.log(process.argv.slice(2).join(" ")); process.exitCode = process.argv.includes("--bogus") ? 8 : 0; }\n`,
    );
    const init = `require("emend").setup({
      cmd = { "node", "${stub}", "lsp", "--stdio" },
      settings = { model = "builtin" },
    })`;
    const neovim = await openWorkspace(program, work, { init });
    const run = async (command: string) => {
      await neovim.lua(`messages = {} vim.cmd("${command}")`);
      const ended = await neovim.until<string>(`return vim.wo.winbar:find("closes", 1, true) and vim.wo.winbar`);
      const [text] = (await neovim.text()).split("\n");
      const rows = await neovim.lua<number>(`return vim.api.nvim_win_get_height(0)`);
      await neovim.until(`return vim.api.nvim_get_mode().mode ~= "t"`);
      await neovim.type("q");
      expect(await neovim.lua(`return #vim.api.nvim_list_wins()`)).toBe(1);
      return { text, ended, rows, messages: await neovim.lua(`return messages`) };
    };
    expect(await run("Emend setup --server http://127.0.0.1:8012 --reset")).toEqual({
      text: "setup --server http://127.0.0.1:8012 --reset",
      ended: "Emend: done; q closes this window",
      rows: 15,
      messages: [
        "Emend: `settings.model` of `setup` in init.lua outranks what was written: remove it there to use the new model.",
      ],
    });
    expect(await run("Emend setup --bogus")).toMatchObject({
      ended: "Emend: nothing was changed; q closes this window",
      messages: [],
    });
  });

  test(":Emend trust is what a message about an untrusted workspace advises, and its settings then count", async () => {
    work.write("emend.config.json", JSON.stringify({ next: { recordTo: "session.jsonl" } }));
    const neovim = await openWorkspace(program, work);
    expect(await neovim.until<string>(`return messages[1]`)).toMatch(
      /is put aside: .* If you trust it, run `:Emend trust`\.$/,
    );
    await neovim.lua(`vim.fn.confirm = function(question) asked = question return answer end`);
    expect(await messagesOf(neovim, "lua answer = 2 vim.cmd('Emend trust')")).toEqual([]);
    expect(await neovim.lua(`return asked`)).toContain(`Trust ${work.root}?`);
    await neovim.lua(`messages, answer = {}, 1 vim.cmd("Emend trust")`);
    const answer = await neovim.until<string>(`return messages[1]`);
    expect(answer).toMatch(/^Emend: .* is trusted now with all folders in it, by .*emend\.config\.json: /);
    await neovim.until(`
      require("emend.status").ask(function(status) last_status = status end, error)
      return #last_status.sessions[1].issues == 0
    `);
  });
});
