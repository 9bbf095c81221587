import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { helpTags } from "../../scripts/help-tags.ts";
import { hasPseudoTerminal } from "../../src/cli/fixtures/pseudo-terminal.ts";
import { buildPackage, main, repository } from "../../src/cli/fixtures/run-cli.ts";
import { ServerWorkspace } from "../../src/cli/fixtures/server-workspace.ts";
import { serveChat } from "../../src/model/node/fixtures/scripted-chat-server.ts";
import { ScriptedServer } from "../../src/model/node/fixtures/scripted-server.ts";
import { removeFolder } from "../../src/text/node/fixtures/remove-folder.ts";
import { luaText, type Neovim, pluginFolder } from "./fixtures/neovim.ts";
import { neovims, openWorkspace, startNeovim, supportedNeovims } from "./fixtures/start.ts";

let work: ServerWorkspace;
beforeAll(buildPackage);
beforeEach(() => {
  work = new ServerWorkspace();
});
afterEach(() => work[Symbol.dispose]());

const price = `export function priceOf(count: number): number {
  return count * 3;
}

export function twice(count: number): number {
  return priceOf(count) + priceOf(count);
}
`;
const shop = 'import { priceOf } from "./price.ts";\n\nexport const bill = priceOf(7);\n';

/** The lines that a command shows in its window. */
async function report(neovim: Neovim, command: string): Promise<string> {
  await neovim.lua(`vim.cmd(${luaText(command)})`);
  const [, name] = command.split(" ");
  await neovim.until(`return vim.api.nvim_buf_get_name(0) == "emend://${name}"`);
  const text = await neovim.text();
  await neovim.type("q");
  return text;
}

/** Waits for a next edit. On timeout, the error contains the reason for no suggestion. */
async function nextEdit(neovim: Neovim): Promise<void> {
  await neovim.until(`return require("emend").has_next_edit()`).catch(async (cause) => {
    await neovim.lua(`require("emend.status").ask(function(status) last_status = status end, error)`);
    throw new Error(await neovim.until(`return last_status and vim.inspect(last_status.lastNextEditReason)`), {
      cause,
    });
  });
}

/** The report of `:checkhealth emend`. */
async function health(neovim: Neovim): Promise<string> {
  await neovim.lua(`vim.cmd("checkhealth emend")`);
  return neovim.text();
}

describe.each(supportedNeovims)("Neovim $version", (program) => {
  test("the built-in model's ghost text is shown and accepted, and one undo step removes it", async () => {
    const neovim = await openWorkspace(program, work);
    await neovim.until(`return require("emend").statusline() == "Emend"`);
    await neovim.type("G", "k", "A", work.typed);
    await neovim.until(`return require("emend").is_visible()`);
    expect(await neovim.screen()).toContain("  return ite|ms.at(0) ?? missing(items);");
    await neovim.type("<Tab>", "<Esc>");
    expect(`${await neovim.text()}\n`).toBe(work.completed);
    await neovim.type("u");
    expect(`${await neovim.text()}\n`).toBe(work.text.replace("return \n", `return ${work.typed}\n`));

    expect(await report(neovim, "Emend why ghost-text")).toMatch(/^Ghost text at src\/new\.ts:11:\d+\n/);
    expect(await report(neovim, "Emend status")).toMatch(
      /^Emend \d[\s\S]*Models: .*builtin[\s\S]*Workspace: learnt, \d+ files/,
    );
    expect(await neovim.lua(`return require("emend").statusline()`)).toBe("Emend");
  });

  test("a rename is followed by next edits in its file and in another one", async () => {
    work.write("src/price.ts", price);
    work.write("src/shop.ts", shop);
    // A single rename is weak evidence, so with default settings it is not suggested automatically.
    const init = `require("emend").setup({ settings = { next = { eagerness = "eager" } } })`;
    const neovim = await openWorkspace(program, work, { file: join(work.root, "src/price.ts"), init });
    await neovim.lua(`vim.o.hidden = true vim.fn.search("priceOf", "c")`);
    await neovim.type("c", "e", "costOf", "<Esc>");
    await nextEdit(neovim);
    expect(await neovim.screen()).toContain("priceOfcostOf");

    await neovim.type("<Tab>");
    expect(await neovim.lua(`return vim.fn.line(".")`)).toBe(6);
    await neovim.type("<Tab>");
    const renamed = price.replaceAll("priceOf", "costOf");
    for (let place = 0; place < 3 && `${await neovim.text()}\n` !== renamed; place += 1) {
      await nextEdit(neovim);
      await neovim.type("<Tab>", "<Tab>");
    }
    expect(`${await neovim.text()}\n`).toBe(renamed);

    await nextEdit(neovim);
    await neovim.until(`
      if not vim.api.nvim_buf_get_name(0):find("shop.ts", 1, true) then require("emend").next_edit() end
      return vim.api.nvim_buf_get_name(0):find("shop.ts", 1, true)
    `);
    await neovim.type("<M-CR>");
    await neovim.until(`return table.concat(messages):find("not saved yet")`);
    expect(`${await neovim.text()}\n`).toBe(shop.replaceAll("priceOf", "costOf"));
  });

  test("a next edit that needs types appears without another key, once the type checker is open", async () => {
    work.write("src/price.ts", price.replaceAll("twice", "double"));
    work.write("src/shop.ts", 'import { double } from "./price.ts";\n\nexport const four = double(2);\n');
    const neovim = await openWorkspace(program, work, { file: join(work.root, "src/price.ts") });
    await neovim.lua(`vim.fn.search("double", "c")`);
    await neovim.type("c", "e", "twice", "<Esc>");
    await nextEdit(neovim);
    expect(await neovim.screen()).toContain("src/shop.ts:1");
  });

  test("a rename before the server is started is followed by a next edit", async () => {
    work.write("src/price.ts", price);
    const neovim = await openWorkspace(program, work, { file: join(work.root, "src/price.ts") });
    await neovim.lua(`vim.cmd("Emend restart") vim.fn.search("priceOf", "c")`);
    await neovim.until(`return not require("emend.client").of(0)`);
    await neovim.type("c", "e", "costOf", "<Esc>");
    await nextEdit(neovim);
    expect(await neovim.screen()).toContain("  return priceOfcostOf(count)");
  });

  test("a rename by hand of a Python function is followed automatically, also after it was saved", async () => {
    const pricePy = "def priceOf(count):\n  return count * 3\n\n\ndef twice(count):\n";
    work.write("price.py", `${pricePy}  return priceOf(count, 1) + priceOf(count, 2)\n`);
    const neovim = await openWorkspace(program, work, { file: join(work.root, "price.py") });
    await neovim.lua(`vim.fn.search("priceOf", "c")`);
    await neovim.type("c", "e", "costOf", "<Esc>");
    await nextEdit(neovim);
    await neovim.type(..."\u003awrite", "<CR>");
    expect(await neovim.lua(`return require("emend").has_next_edit()`)).toBe(true);
    expect(await neovim.screen()).toContain("  return priceOfcostOf(count, 1)");
    // The first use is renamed by hand too: the second one on its line follows.
    await neovim.lua(`vim.fn.search("priceOf")`);
    await neovim.type("c", "e", "costOf", "<Esc>");
    await nextEdit(neovim);
    expect(await neovim.screen()).toContain("f(count, 1) + pricecostOf(count, 2)  <Tab>");
  });

  test("lines are edited by an instruction, and one undo step restores them", async () => {
    const answer = "@@ 3 return items\n  return items[0] ?? missing(items);\n@@ end\n";
    const server = await serveChat("openai", { deltas: answer.match(/.{1,9}\n?/g)! });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const init = `require("emend").setup({ settings = { edit = { model = "openai-compatible:${server.url}#scripted" } } })`;
    const neovim = await openWorkspace(program, work, { init });
    // The change arrives in insert mode.
    await neovim.type("O", "// not saved");
    await neovim.lua(`vim.cmd("2,4Emend edit インデックスで読む")`);
    await neovim.until(`return messages[1]`);
    const edited = `// not saved\n${work.text.replace("items.at(0)", "items[0]")}`;
    expect(`${await neovim.text()}\n`).toBe(edited);
    expect(JSON.stringify(server.calls[0]!.body)).toContain("インデックスで読む");
    await neovim.type("<Esc>", "u");
    expect(`${await neovim.text()}\n`).toBe(`// not saved\n${work.text}`);
  });

  test("an edit by an instruction that was saved is undone after a restart, unless its lines have changed since", async () => {
    const server = await serveChat("openai", { deltas: ["@@ 3 return items\n", "  return items[0];\n@@ end\n"] });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const init = `require("emend").setup({ settings = { edit = { model = "openai-compatible:${server.url}#scripted" } } })`;
    const disk = () => readFileSync(work.file, "utf8");
    const first = await openWorkspace(program, work, { init });
    await first.lua(`vim.cmd("Emend edit By index")`);
    await first.until(`return messages[1]`);
    // The server records the save although the editor exits at once.
    await first.lua(`vim.schedule(function() vim.cmd("silent wqa") end)`).catch(() => undefined);
    await expect.poll(disk).toContain("items[0]");
    const edited = disk();

    const neovim = await openWorkspace(program, work, { init });
    const undo = async () => {
      await neovim.lua(`messages = {} vim.cmd("Emend undo")`);
      return neovim.until(`return messages[1]`);
    };
    await neovim.type("O", "// not saved", "<Esc>");
    expect(await undo()).toBe("Emend: Nothing was undone: src/new.ts has unsaved changes. Save them first.");
    await neovim.lua(`vim.cmd("silent undo | %s/items.0./items[7]/ | silent write")`);
    expect(await undo()).toContain("src/new.ts (line 2) changed since in the same lines.");
    await neovim.lua(`vim.cmd("%s/items.7./items[0]/ | silent write")`);
    expect(disk()).toBe(edited);
    expect(await undo()).toContain("Emend: undone and saved in src/new.ts: By index.");
    expect(disk()).toBe(work.text);
    await neovim.until(`return vim.fn.search("items.0.", "nw") == 0`);
    expect(await undo()).toBe("Emend: there is no change to undo.");
  });

  test("a language is turned off and on, and the missing suggestion is explained", async () => {
    const neovim = await openWorkspace(program, work);
    await neovim.lua(`vim.cmd("Emend off typescript")`);
    await neovim.type("G", "k", "A", work.typed);
    // A request before the server has read the settings is answered with ghost text, or the next
    // key cancels it.
    let reason: unknown;
    for (let key = 0; key < 100 && !String(reason).includes("Switched off"); key += 1) {
      await neovim.type("x", "<BS>");
      reason = await neovim.lua(`
        reason = nil
        require("emend.status").ask(function(status) reason = status.lastGhostTextReasonText end, error)
        vim.wait(300, function() return reason ~= nil end, 10)
        return reason
      `);
    }
    expect(reason).toContain("Switched off for typescript");
    expect(await neovim.lua(`return require("emend").statusline()`)).toBe("Emend off here");
    await neovim.lua(`vim.cmd("Emend toggle typescript")`);
    // The server reads the settings after the notification, while the user continues to type.
    let isVisible = false;
    for (let key = 0; key < 100 && !isVisible; key += 1) {
      await neovim.type("m", "<BS>");
      isVisible = await neovim.lua(`return vim.wait(300, require("emend").is_visible, 10)`);
    }
    expect(isVisible).toBe(true);
    expect(await neovim.lua(`return messages`)).toEqual(["Emend: off for typescript", "Emend: on for typescript"]);
  });

  test("a snooze hides ghost text and pauses it, except for requests by key", async () => {
    const neovim = await openWorkspace(program, work);
    await neovim.type("G", "k", "A", work.typed);
    await neovim.until(`return require("emend").is_visible()`);
    await neovim.lua(`vim.cmd("Emend snooze")`);
    await neovim.until(`return not require("emend").is_visible()`);
    await neovim.until(`return require("emend").statusline() == "Emend: snoozed, 5 min"`);
    await neovim.type("m", "<BS>");
    const reason = await neovim.until(`
      require("emend.status").ask(function(status) reason = status.lastGhostTextReasonText end, error)
      vim.wait(300, function() return reason ~= nil end, 10)
      return reason
    `);
    expect(reason).toBe("Automatic suggestions are snoozed for 5 more minutes.");
    expect(await neovim.lua(`return require("emend").is_visible()`)).toBe(false);
    await neovim.type("<M-Bslash>");
    await neovim.until(`return require("emend").is_visible()`);
    await neovim.lua(`vim.cmd("Emend snooze 0")`);
    await neovim.until(`return require("emend").statusline() == "Emend"`);
    await neovim.lua(`vim.cmd("Emend snooze x")`);
    expect(await neovim.lua(`return messages`)).toEqual([
      "Emend: snoozed for 5 minutes; `:Emend snooze 0` ends it.",
      "Emend: not snoozed.",
      "Emend: `x` is not a number of minutes from 0 to 1440.",
    ]);
  });

  test(":Emend setup runs the program of the server in a terminal, with the key of a command", async () => {
    // Records how it is run as `setup`; otherwise it is the server.
    const stub = join(work.root, "stub-emend.mjs");
    const seen = join(work.root, "seen.json");
    const record = `appendFileSync(${JSON.stringify(seen)}, JSON.stringify([process.argv.slice(2), process.env.MISTRAL_API_KEY]) + "\\n")`;
    writeFileSync(
      stub,
      `import { appendFileSync } from "node:fs";\n${record};\nif (process.argv[2] === "setup") console.log("set up");\nelse await import(${JSON.stringify(main)});\n`,
    );
    const count = join(work.root, "count");
    const init = `require("emend").setup({
      cmd = { "node", "${stub}", "lsp", "--stdio" },
      api_key_cmd = {
        MISTRAL_API_KEY = { "sh", "-c", "echo run >>'${count}'; echo key-1; echo more" },
        OPENAI_API_KEY = { "sh", "-c", "echo locked >&2; exit 3" },
      },
    })`;
    const neovim = await openWorkspace(program, work, { init });
    await neovim.lua(`vim.cmd("Emend setup")`);
    await neovim.until(
      `return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\\n"):find("set up", 1, true)`,
    );
    expect(await neovim.lua(`return vim.bo.buftype`)).toBe("terminal");
    const runs = readFileSync(seen, "utf8").trim().split("\n");
    expect(runs.map((run) => JSON.parse(run))).toEqual([
      [["lsp", "--stdio"], "key-1"],
      [["setup"], "key-1"],
    ]);
    expect(readFileSync(count, "utf8")).toBe("run\n");
    expect(await neovim.lua(`return messages`)).toEqual([
      "Emend: the command of `api_key_cmd` for OPENAI_API_KEY failed with code 3: locked",
    ]);
  });

  test("a model that is loading is named and requested again, and a failing one is reported once", async () => {
    let state: "loading" | "ready" | "broken" = "loading";
    const server = await ScriptedServer.start(() => {
      if (state === "loading") return { status: 503, chunks: ['{"error":{"code":503,"message":"Loading model"}}'] };
      if (state === "broken") return { status: 500, chunks: ['{"error":{"code":500,"message":"out of memory"}}'] };
      const events = [
        { content: "missing(items);", stop: false },
        { content: "", stop: true, stop_type: "eos" },
      ];
      const chunks = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
      return { headers: { "content-type": "text/event-stream" }, chunks };
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const init = `require("emend").setup({ settings = { model = "llamacpp:${server.url}" } })`;
    const neovim = await openWorkspace(program, work, { init });
    await neovim.type("G", "k", "A", " ");
    await neovim.until(`return require("emend").statusline() == "Emend: loading llamacpp:${server.url}"`);
    state = "ready";
    await neovim.until(`return require("emend").is_visible()`);
    expect(await neovim.screen()).toContain("missing(items);");
    expect(await neovim.lua(`return messages`)).toEqual([]);
    state = "broken";
    await neovim.type("x", "y");
    await neovim.until(`return messages[1]`);
    await neovim.type("z", "w");
    expect(await neovim.lua(`return messages`)).toEqual([
      "Emend: a model failed: see `:Emend status`, or `:Emend setup`.",
    ]);
    expect(await neovim.lua(`return require("emend").statusline()`)).toBe("Emend: model failed");
    await neovim.type("<Esc>");
    expect(await report(neovim, "Emend status")).toContain("out of memory");
  });

  test(":checkhealth reports a running server and its models", async () => {
    const neovim = await openWorkspace(program, work, {
      init: `vim.keymap.set("n", "<M-BS>", "x", { desc = "Mine" }) require("emend").setup({})`,
    });
    const text = await health(neovim);
    for (const line of [
      `OK Neovim ${program.version}`,
      /OK Node\.js v\d+/,
      "WARNING <M-BS> is mapped to Mine, so it does not reject the next edit",
      `Command: node ${repository}dist/cli/main.js lsp --stdio`,
      /OK The server responds: version \d/,
      /Workspace: learnt, \d+ files/,
    ]) {
      expect(text).toMatch(typeof line === "string" ? new RegExp(line.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")) : line);
    }
  });

  test(":checkhealth starts a server where none runs", async () => {
    const neovim = startNeovim(program, {
      environment: work.environment,
      folder: work.root,
      init: `require("emend").setup({})`,
    });
    expect(await health(neovim)).toMatch(/OK The server responds: version \d/);
  });

  test("errors that are added to the settings of the workspace are named in one message, with their place", async () => {
    const neovim = await openWorkspace(program, work);
    const write = (text: string) => writeFileSync(join(work.root, "emend.config.json"), text);
    write('{ "modle": "builtin" }\n');
    await neovim.until(`return messages[1]`);
    write('{\n  "modle": "builtin",\n  "complete": { "maxLines": "x" }\n}\n');
    await neovim.until(`return messages[2]`);
    expect(await neovim.lua(`return messages`)).toEqual([
      "Emend: settings:\n`modle` (emend.config.json:1) is no setting. Did you mean `model`?",
      expect.stringMatching(
        /^Emend: settings:\n`modle` \(emend\.config\.json:2\).*\n`complete\.maxLines` \(emend\.config\.json:3\)/,
      ),
    ]);
  });

  test("a missing server and a failing one are reported once, with what to do", async () => {
    const init = `require("emend").setup({ cmd = { "no-such-emend", "lsp" } })`;
    const neovim = startNeovim(program, { environment: work.environment, folder: work.root, init, args: [work.file] });
    await neovim.lua(`vim.cmd("edit src/a.ts")`);
    const problem =
      "no-such-emend, the server of `cmd`, cannot be run. Install it by `npm install && npm run build && npm install -g .` in a clone of Emend, or set its command:\n" +
      'require("emend").setup({ cmd = { "node", "CLONE/dist/cli/main.js", "lsp", "--stdio" } })\nRun `:checkhealth emend` for details.';
    expect(await neovim.lua(`return messages`)).toEqual([`Emend: ${problem}`]);
    expect(await health(neovim)).toContain("ERROR no-such-emend, the server of `cmd`, cannot be run.");

    const failing = startNeovim(program, {
      ...{ environment: work.environment, folder: work.root, args: [work.file] },
      init: `require("emend").setup({ cmd = { "node", "-e", "process.exit(3)" } })`,
    });
    await failing.until(`return messages[1]`);
    expect(await failing.lua(`return messages`)).toEqual([
      "Emend: the server exited with code 3; `:Emend restart` starts it.",
    ]);
    expect(await health(failing)).toMatch(
      /ERROR The server exited with code 3[\s\S]*`:Emend restart` starts it\.\n.*Its log is /,
    );
  });

  test.runIf(hasPseudoTerminal)("opens a file on a terminal, and starts programs with the system's libraries", () => {
    const seen = join(work.root, "seen");
    const check = `vim.fn.writefile({ vim.fn.getline(1), vim.env.LD_LIBRARY_PATH or "", vim.trim(vim.fn.system("node --version")) }, "${seen}")`;
    const words = [program.path, "-u", "NONE", "-i", "NONE", "-n", "-c", `lua ${check} vim.cmd.qall()`, work.file];
    const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    const environment = { ...work.environment, TERM: "xterm-256color" };
    const { status, stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
      env: environment,
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringContaining("unrecognized option") });
    expect(readFileSync(seen, "utf8")).toBe(`${work.text.split("\n")[0]}\n\n${process.version}\n`);
  });

  test("invalid options are listed in one message and by :checkhealth, and the others are used", async () => {
    const init = `require("emend").setup({
      ghost = 1,
      keys = { accept = 1, accept_word = "<C-Right>" },
      next_edit = { hint = 1, debounce_ms = 7 },
      cmd = "emend",
      api_key_cmd = { MISTRAL_API_KEY = "pass" },
      settings = { modell = "builtin", complete = { maxLines = "x" } },
    })`;
    const neovim = await openWorkspace(program, work, { init });
    await neovim.until(`return messages[2]`);
    const issues = ["settings.modell of `setup`", "settings.complete.maxLines of `setup`"];
    expect(await neovim.lua(`return messages`)).toEqual([
      [
        "Emend: options of `setup`:",
        '`api_key_cmd.MISTRAL_API_KEY` must be a list of strings, such as { "pass", "show", "mistral" }.',
        '`cmd` must be a list of strings, such as { "emend", "lsp", "--stdio" }.',
        "`ghost` is not an option. The options are: api_key_cmd, cmd, filetypes, ghost_text, keys, next_edit, root_markers, settings.",
        "`keys.accept` must be a key, or false for none.",
        "`next_edit.hint` must be a boolean, not a number.",
      ].join("\n"),
      expect.stringMatching(/^Emend: settings:\n/),
    ]);
    const [, settings] = await neovim.lua<string[]>(`return messages`);
    const text = await health(neovim);
    for (const issue of issues) {
      expect(settings).toContain(issue);
      expect(text.split(issue)).toHaveLength(2);
    }
    expect(text).toContain("WARNING `next_edit.hint` must be a boolean, not a number.");
    expect(
      await neovim.lua(
        `local o = require("emend.options").current return { o.keys.accept, o.keys.accept_word, o.next_edit.debounce_ms }`,
      ),
    ).toEqual(["<Tab>", "<C-Right>", 7]);
  });

  test("the installation of the page works, its options are the defaults, and its keys exist", async () => {
    const page = readFileSync(join(repository, "docs/neovim.md"), "utf8");
    const blocks = Array.from(page.matchAll(/```(\w+)\n([\s\S]*?)```/g), ([, language, text]) => ({
      language,
      text: text!,
    }));
    const [shell] = blocks.filter(({ language }) => language === "sh");
    const [load, , , defaults] = blocks.filter(({ language }) => language === "lua");

    const top = mkdtempSync(join(tmpdir(), "emend-install-"));
    onTestFinished(() => removeFolder(top));
    mkdirSync(join(top, "bin"));
    mkdirSync(join(top, "modules"));
    symlinkSync(repository, join(top, "modules/emend"));
    // The package is installed already: this npm only prints its folder.
    writeFileSync(join(top, "bin/npm"), `#!/bin/sh\necho "${join(top, "modules")}"\n`, { mode: 0o755 });
    const environment = { ...work.environment, HOME: top };
    const folder = join(top, ".local/share");
    const neovim = startNeovim(program, { environment, folder: work.root, args: [work.file] });
    const steps = `PATH="${top}/bin:$PATH"\n${shell!.text}`;
    await neovim.lua(`assert(vim.system({ "sh", "-e", "-c", ${luaText(steps)} }):wait().code == 0)`);
    await neovim.lua(`
      vim.opt.runtimepath:remove(${luaText(join(repository, "editors/neovim"))})
      vim.opt.packpath:append(${luaText(join(folder, "nvim/site"))})
      ${load!.text}
    `);
    await neovim.until(`return require("emend.client").of(0)`);
    expect(await neovim.lua(`return vim.api.nvim_get_runtime_file("lua/emend/init.lua", false)[1]`)).toBe(
      join(folder, "nvim/site/pack/emend/opt/emend/lua/emend/init.lua"),
    );

    await neovim.lua(
      `documented = nil require("emend").setup = function(given) documented = given end ${defaults!.text}`,
    );
    expect(await neovim.lua(`return vim.deep_equal(documented, require("emend.options").defaults)`)).toBe(true);
    const rows = Array.from(
      page.matchAll(/^\| `(<[^`]+>)`\s+\| (insert|normal)/gm),
      ([, key, mode]) => `${mode} ${key}`,
    );
    const mapped = await neovim.lua<string[]>(`
      local mapped = {}
      for name, action in pairs(require("emend.keys").actions) do
        mapped[#mapped + 1] = (action.mode == "i" and "insert " or "normal ") .. require("emend.options").defaults.keys[name]
      end
      return mapped
    `);
    expect(rows.toSorted()).toEqual(mapped.toSorted());

    // `:help` has the same keys, and its tags are valid.
    const help = readFileSync(join(pluginFolder, "doc/emend.txt"), "utf8");
    const helped = Array.from(help.matchAll(/^ {4}(<\S+>)\s.*?(\w+)$/gm), ([, key, action]) => `${key} ${action}`);
    const defaultKeys = await neovim.lua<Record<string, string>>(`return require("emend.options").defaults.keys`);
    expect(helped.toSorted()).toEqual(
      Object.entries(defaultKeys)
        .map(([action, key]) => `${key} ${action}`)
        .toSorted(),
    );
    await neovim.lua(`
      vim.fn.mkdir(${luaText(join(top, "help"))}, "p")
      vim.cmd(${luaText(`silent !cp -r ${pluginFolder}/doc ${join(top, "help/doc")}`)})
      vim.cmd.helptags(${luaText(join(top, "help/doc"))})
    `);
    const tags = readFileSync(join(top, "help/doc/tags"), "utf8");
    expect(tags).toContain(":Emend-plan\temend.txt");
    // The build writes the tags that Neovim itself does, and `:help` finds them in the clone.
    expect(helpTags(new Map([["emend.txt", help]]))).toBe(tags);
    const opened = [];
    for (const topic of ["emend", "emend-keys"]) {
      await neovim.lua(`vim.cmd("help ${topic}")`);
      opened.push(await neovim.lua(`return vim.api.nvim_buf_get_name(0) .. " " .. vim.fn.expand("<cWORD>")`));
    }
    const file = join(pluginFolder, "doc/emend.txt");
    expect(opened).toEqual([`${file} *emend*`, `${file} *emend-keys*`]);
    // The clone stays clean.
    const ignored = spawnSync("git", ["check-ignore", "editors/neovim/doc/tags"], { cwd: repository });
    expect(ignored.status).toBe(0);
  });
});

const tooOld = neovims.filter(({ isSupported }) => !isSupported);
test.runIf(tooOld.length > 0)("a Neovim that is too old reports this and starts nothing", async () => {
  const neovim = startNeovim(tooOld[0]!, { environment: work.environment, folder: work.root });
  const { version } = tooOld[0]!;
  expect(await neovim.lua(`return messages`)).toEqual([`Emend: Neovim 0.10 or newer is needed; this is ${version}.`]);
  await neovim.lua(`require("emend").setup({})`);
  expect(await health(neovim)).toContain(`Neovim ${version} is too old: use 0.10 or newer.`);
});
