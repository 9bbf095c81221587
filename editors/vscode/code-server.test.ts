import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { GitRepository } from "../../src/cli/fixtures/git-repository.ts";
import { buildPackage, repository } from "../../src/cli/fixtures/run-cli.ts";
import { type ScriptedBookServer, serveBook } from "../../src/cli/fixtures/scripted-book-server.ts";
import { ScriptedServer } from "../../src/model/node/fixtures/scripted-server.ts";
import { removeFolder } from "../../src/text/node/fixtures/remove-folder.ts";
import { CodeServer, ghostTextSelector, hasCodeServer } from "./fixtures/code-server.ts";

/** Code with so many repetitions that its continuation is certain. */
const clear = "export function first(items: readonly string[]): string {\n  return items.at(0) ?? missing(items);\n}\n";

/**
 * Three occurrences of a name in a file and two in another; each test has its own name. Files with
 * the extension `tsx` get no ghost text.
 */
const place = (name: string, extension = "ts") => ({
  [`src/${name}.${extension}`]: `export function ${name}Of(count: number): number {
  return count * 3;
}

export function twice(count: number): number {
  return ${name}Of(count) + 1;
}

export const one = ${name}Of(1);
`,
  [`src/${name}-shop.${extension}`]: `import { ${name}Of } from "./${name}.${extension}";\n\nexport const bill = ${name}Of(7);\n`,
});

/** A file name and a folder that are longer than a hint shows. */
const deepFolder = "src/a-long-name-of-a-package/components/checkout";

const files = {
  "src/deep.ts": `export function deepOf(count: number): number { // ${"a long line ".repeat(7)}\n  return count;\n}\n`,
  [`${deepFolder}/deep-shop.ts`]: 'import { deepOf } from "../../../deep.ts";\n\nexport const bill = deepOf(7);\n',
  "src/pasted.ts": 'export const pasted = "hello";\n',
  "src/clear.ts": clear.repeat(12),
  "src/whole.ts": `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return \n}\n`,
  "src/words.ts": `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return \n}\n`,
  "src/escaped.ts": `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return \n}\n`,
  "src/toggled.ts": `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return \n}\n`,
  "src/snoozed.ts": `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return \n}\n`,
  "src/loading.ts": `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return ite\n}\n`,
  "src/here.ts": `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return ite\n}\n`,
  "src/gone.ts": `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return ite\n}\n`,
  "src/back.ts": `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return ite\n}\n`,
  "src/locked.ts": `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return ite\n}\n`,
  "notes.md": "# Notes\n\nSome words.\n",
  "src/greet.ts": 'export const greeting = "hello";\n',
  "shop/tsconfig.json": '{ "compilerOptions": { "strict": true } }\n',
  "shop/price.ts": "export function price(euros: number): number {\n  return euros * 100;\n}\n",
  "shop/cart.ts": 'import { price } from "./price";\n\nexport const total = price(7);\n',
  ...place("jump"),
  ...place("chain"),
  ...place("early"),
  ...place("indent"),
  ...place("snippet"),
  ...place("suggest", "tsx"),
  ...place("reject"),
};

const keys = [{ key: "ctrl+alt+s", command: "editor.action.insertSnippet", args: { snippet: "pair($1, $2)" } }];

// An editor in a browser, on a busy machine: a key may arrive before its command is registered. A
// failed test is retried with the original files and settings.
describe.runIf(hasCodeServer())("in VS Code, with the packaged extension", { retry: 2 }, () => {
  let top: string;
  let work: GitRepository;
  let chat: ScriptedBookServer;
  let llama: ScriptedServer;
  let llamaState: "loading" | "ready" | "locked" | "gone" = "ready";
  let llamaKey = "";
  let tries = 0;
  /** The settings that a group of tests has in common. */
  let groupSettings: object = {};
  let code: CodeServer;

  beforeAll(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), "emend-vsix-")));
    work = GitRepository.of(files);
    chat = await serveBook([
      {
        expected: ["Say good morning"],
        answer: '@@ 1 export const greeting\nexport const greeting = "good morning";\n@@ end\n',
      },
    ]);
    llama = await ScriptedServer.start(({ route, headers }) => {
      if (llamaState === "gone") return "break";
      if (llamaState === "loading")
        return { status: 503, chunks: ['{"error":{"code":503,"message":"Loading model"}}'] };
      if (route === "/v1/models") return { chunks: ['{"data":[{"id":"scripted.gguf","owned_by":"llamacpp"}]}'] };
      // With a key, llama.cpp protects the other routes.
      if (llamaState === "locked" && headers["authorization"] !== `Bearer ${llamaKey}`)
        return { status: 401, chunks: ['{"error":{"code":401,"message":"Invalid API Key"}}'] };
      if (route === "/props") return { chunks: ['{"build_info":"b1","default_generation_settings":{"n_ctx":4096}}'] };
      if (route !== "/infill") return { status: 404, chunks: ["{}"] };
      const chunks = ['data: {"content":"ms.join();","stop":false}\n\n', 'data: {"stop":true,"stop_type":"eos"}\n\n'];
      return { headers: { "content-type": "text/event-stream" }, chunks };
    });
    writeOwnConfig({});
    if (process.env["EMEND_VSIX"] === undefined) await buildPackage();
    const vsix = process.env["EMEND_VSIX"] ?? join(top, "emend.vsix");
    if (vsix.startsWith(top)) {
      execFileSync(process.execPath, ["--import", "tsx", "scripts/build-vsix.ts", "--out", vsix], { cwd: repository });
    }
    code = await CodeServer.open({
      ...{ vsix, workspace: work.folder, keys },
      environment: {
        ...ownEnvironment(),
        ...{ EMEND_CACHE_DIR: join(top, "cache"), EMEND_STATE_DIR: join(top, "state") },
        XDG_CONFIG_HOME: join(top, "config"),
      },
      settings: {
        "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
        "[typescriptreact]": { "editor.inlineSuggest.enabled": false },
        // Terminals are drawn as text.
        "terminal.integrated.gpuAcceleration": "off",
        "emend.edit.format": "range",
        // The suggestions that a test leaves are rejected; that must not delay the next test.
        "emend.next.afterRejectionMs": 0,
        // VS Code's own git, which a reload kills, leaves a lock behind that stops the commits
        // here.
        "git.enabled": false,
      },
    });
  }, 300_000);

  afterAll(async () => {
    await code?.[Symbol.asyncDispose]();
    await chat?.[Symbol.asyncDispose]();
    await llama?.[Symbol.asyncDispose]();
    work?.remove();
    // The server that VS Code has just ended may still write its cache.
    if (top) removeFolder(top);
  }, 60_000);

  beforeEach(async ({ task }) => {
    if ((task.result?.retryCount ?? 0) === 0) return;
    work.write(files);
    await code.resetSettings();
    // The extension shows some messages once.
    await code.reload();
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") {
      // The screen and the output of VS Code.
      const picture = join(tmpdir(), "emend-vscode-failed.png");
      await code.page.screenshot({ path: picture });
      await code.run("Emend: Suggest the Next Edit");
      await code.page.waitForTimeout(1_000);
      console.error(
        `${picture}\n${await code.messages()}\n${await code.page.locator(".statusbar").textContent()}\n${code.printed.slice(-2_000)}`,
      );
    }
    writeOwnConfig({});
    for (let i = 0; i < 3; i++) await code.page.keyboard.press("Escape");
    await code.run("File: Save All Files");
    // A dialog about changes that are not saved yet would cover the next test.
    await code.page.locator(".tab.dirty").first().waitFor({ state: "detached" });
    await code.run("View: Close All Editors");
  });

  /**
   * Writes the person's own configuration, with a model that chats unless `settings` has another,
   * and with those of the group of tests.
   */
  const writeOwnConfig = (settings: object) => {
    mkdirSync(join(top, "config/emend"), { recursive: true });
    const all = { edit: { model: chat.model }, ...groupSettings, ...settings };
    writeFileSync(join(top, "config/emend/emend.config.json"), JSON.stringify(all));
  };
  const press = (key: string) => code.page.keyboard.press(key);
  const type = (text: string) => code.page.keyboard.type(text, { delay: 40 });
  const written = (path: string) => readFileSync(join(work.folder, path), "utf8");

  /** Saves, and waits until the file has the expected text. */
  const expectText = async (path: string, text: string) => {
    await code.run("File: Save All Files");
    await expect.poll(() => written(path), { timeout: 20_000 }).toBe(text);
  };
  const text = (path: string) => (files as Readonly<Record<string, string>>)[path]!;
  /** A line of the open document with a text, of which ghost text is a part. */
  const ghostLine = (text: RegExp) =>
    code.page.locator(".view-line", { hasText: text, has: code.page.locator(ghostTextSelector) }).first();
  const status = (words: string | RegExp) => expect.poll(() => code.statusText(), { timeout: 30_000 }).toMatch(words);

  /** Begins a name in a file of {@link clear} code, which has ghost text then. */
  const showGhostText = async (file: string) => {
    await code.openAt(file, 11, 10);
    await type("ite");
    await code.ghostText.waitFor();
  };

  /** Types a character again, and returns the text of the status bar shortly after. */
  const typed = (character: string) => async () => {
    await press("Backspace");
    await type(character);
    await code.page.waitForTimeout(1_000);
    return code.statusText();
  };

  /** Types the last character again until the line with the ghost text is as expected. */
  const completed = (expected: RegExp) => {
    const complete = async () => {
      await press("Backspace");
      await type("e");
      await ghostLine(expected).waitFor({ timeout: 10_000 });
    };
    return vi.waitFor(complete, { timeout: 60_000 });
  };

  /** Renames the function of a file of {@link place}, until the next place of it is offered. */
  const rename = async (name: string, extension = "ts") => {
    await code.openAt(`${name}.${extension}`, 1, 17);
    await press("Control+Delete");
    await type(`${name}By`);
    await status("next edit in line 6");
  };

  // These tests make the same edit in files with the same text; the status bar shows a next edit
  // before anything else.
  describe("without next edits", () => {
    beforeAll(() => {
      groupSettings = { next: { enabled: false } };
      writeOwnConfig({});
    });

    afterAll(async () => {
      groupSettings = {};
      writeOwnConfig({});
      await code.run("Emend: Restart the Language Server");
      await code.status.locator(".codicon-loading").waitFor({ state: "detached" });
    });

    test("the status bar shows why there is no suggestion, and turns a language off and on", async () => {
      await code.openAt("notes.md", 3, 12);
      // A listener that was registered after a key receives the next one.
      await type(" Some");
      await expect.poll(typed("e"), { timeout: 60_000 }).toMatch("off here");
      await code.openAt("toggled.ts", 11, 10);
      await code.run("Emend: Turn On or Off for This Language");
      await expect.poll(() => code.ownSettings()["emend.complete.languages"]).toEqual({ typescript: false });
      // The server receives the change shortly after the settings file is written.
      await type("ite");
      await expect.poll(typed("e"), { timeout: 30_000 }).toMatch("off here");
      expect(await code.ghostText.count()).toBe(0);
      await code.run("Emend: Turn On or Off for This Language");
      // No key is pressed: the request is repeated.
      await code.ghostText.waitFor();
      await status(/^(?!.*off here)/);
    }, 120_000);

    test("a snooze of the menu pauses ghost text until it is ended", async () => {
      await showGhostText("snoozed.ts");
      await code.status.click();
      await code.pick("Snooze for 5 minutes");
      await status("snoozed, 5 min");
      await code.ghostText.waitFor({ state: "hidden" });
      await press("Backspace");
      await type("e");
      await code.page.waitForTimeout(1_500);
      expect(await code.ghostText.count()).toBe(0);
      await code.run("Trigger Inline Suggestion");
      await code.ghostText.waitFor();
      await code.run("Emend: End the Snooze");
      await status(/^(?!.*snoozed)/);
    }, 120_000);

    test("a command shows an explanation of the last request", async () => {
      await code.openAt("notes.md", 3, 12);
      await type(" Some");
      await expect.poll(typed("e"), { timeout: 60_000 }).toMatch("off here");
      await code.run("Emend: Explain the Last Suggestion");
      await code.page.locator(".tab", { hasText: "Last suggestion" }).waitFor();
      const page = async () =>
        (
          await Promise.all(
            code.page.frames().map((frame) =>
              frame
                .locator("body")
                .textContent()
                .catch(() => ""),
            ),
          )
        ).join("\n");
      const explained =
        /Ghost text at notes\.md:3:\d+\s*Switched off for markdown by complete\.languages\.markdown[\s\S]*Whether to suggest/;
      await expect.poll(page, { timeout: 30_000 }).toMatch(explained);
      // The preview page does not pass keys on.
      await code.page.locator(".part.sidebar .composite.title").click();
    }, 120_000);

    test("a model that is loading is named, and its ghost text appears once it is loaded", async () => {
      llamaState = "loading";
      writeOwnConfig({ model: `llamacpp:${llama.url}` });
      await code.openAt("loading.ts", 11, 13);
      await expect.poll(typed("e"), { timeout: 60_000 }).toMatch(`loading llamacpp:${llama.url}`);
      expect(await code.messages()).toBe("");
      llamaState = "ready";
      // No key is pressed: the request is repeated.
      await ghostLine(/return.items\.join\(\);/).waitFor();
      await status(/^Emend(?!.*loading)/);
    }, 120_000);

    test("the first failure of a model is a message with buttons, and a stored key reaches server and setup", async () => {
      llamaState = "locked";
      // The key of an earlier try is still stored.
      llamaKey = `key-${++tries}`;
      writeOwnConfig({ model: `llamacpp:${llama.url}` });
      await code.openAt("locked.ts", 11, 13);
      await expect.poll(typed("e"), { timeout: 60_000 }).toMatch("model failed");
      await code.button("Set Up a Model").waitFor();
      await code.button("Set API Key").click();
      await code.page.locator(".quick-input-list .monaco-list-row", { hasText: "llama.cpp" }).click();
      await code.page.locator(".quick-input-widget", { hasText: "The API key: llama.cpp" }).waitFor();
      await type(llamaKey);
      await press("Enter");
      // The server is started again with the key.
      await completed(/return.items\.join\(\);/);
      const before = llama.seen.length;
      await code.run("Emend: Set Up a Model");
      await expect.poll(() => code.page.locator(".xterm-rows").textContent(), { timeout: 60_000 }).toMatch(llama.url);
      const tried = () => llama.seen.slice(before).find(({ route }) => route === "/infill")?.headers["authorization"];
      await expect.poll(tried, { timeout: 60_000 }).toBe(`Bearer ${llamaKey}`);
      await code.run("Terminal: Kill All Terminals");
    }, 120_000);

    test("a server that goes away is a message, and the status shows it while the next model answers", async () => {
      llamaState = "ready";
      writeOwnConfig({ model: [`llamacpp:${llama.url}`, "builtin"] });
      // Each time another file: answers for the same text are kept.
      await code.openAt("here.ts", 11, 13);
      await completed(/return.items\.join\(\);/);
      await code.run("Notifications: Clear All Notifications");
      llamaState = "gone";
      await code.openAt("gone.ts", 11, 13);
      await completed(/return.items\.at\(0\)/);
      await status("model failed");
      await code.button("Set Up a Model").waitFor();
      await code.run("Notifications: Clear All Notifications");
      llamaState = "ready";
      await code.openAt("back.ts", 11, 13);
      await completed(/return.items\.join\(\);/);
      await status(/^Emend(?!.*failed)/);
    }, 120_000);

    test("ghost text appears, and Tab accepts all of it", async () => {
      await showGhostText("whole.ts");
      await press("Tab");
      await expectText("src/whole.ts", clear.repeat(4));
    }, 120_000);

    test("Escape dismisses ghost text", async () => {
      await showGhostText("escaped.ts");
      await press("Escape");
      await code.ghostText.waitFor({ state: "hidden" });
    }, 120_000);

    test("Ctrl+Right accepts a word of ghost text, and the rest stays visible", async () => {
      await showGhostText("words.ts");
      await press("Control+ArrowRight");
      await code.column(15).waitFor();
      await code.ghostText.waitFor();
      await expectText("src/words.ts", text("src/words.ts").replace("return \n", "return items\n"));
    }, 120_000);
  });

  test("the hint for another file begins with its name, and adds no scroll bar", async () => {
    await code.openAt("deep.ts", 1, 17);
    const width = () => code.page.locator(".editor-instance .view-lines").evaluate((lines) => lines.clientWidth);
    const before = await width();
    await press("Control+Delete");
    await type("deepBy");
    await status("next edit in deep-shop.ts");
    const parts = '[...document.querySelectorAll(".editor-instance .view-line span")]';
    const hint = await code.page.evaluate<string>(
      `${parts}.map((part) => getComputedStyle(part, "::after").content).join("")`,
    );
    expect(hint.replaceAll("\u00a0", " ")).toMatch(/Tab: deep-shop\.ts:\d in src\/a-long-…nts\/checkout, /);
    expect(await width()).toBe(before);
  }, 120_000);

  test("Tab goes to the next edit, accepts it, and continues in the next file", async () => {
    await rename("jump");
    await press("Tab");
    await status("next edit here");
    await press("Tab");
    await status("next edit in line 9");
    await press("Tab");
    await status("next edit here");
    await press("Tab");
    await status("next edit in jump-shop.ts");
    await press("Tab");
    await status("next edit here");
    await press("Tab");
    await status("next edit in line 3");
    await press("Tab");
    await status("next edit here");
    await press("Tab");
    await expectText("src/jump.ts", text("src/jump.ts").replaceAll("jumpOf", "jumpBy"));
    await expectText("src/jump-shop.ts", text("src/jump-shop.ts").replaceAll("jumpOf", "jumpBy"));
  }, 120_000);

  test("a rename while the server starts, which is saved at once, is followed by a next edit", async () => {
    await code.openAt("early.ts", 1, 17);
    await code.run("Emend: Restart the Language Server");
    await code.status.locator(".codicon-loading").waitFor();
    await press("Control+Delete");
    await type("earlyBy");
    await press("Control+s");
    await expect.poll(() => written("src/early.ts")).toMatch("earlyBy");
    await status("next edit in line 6");
  }, 120_000);

  test("all places of a rename are accepted at once, and undone at once", async () => {
    await rename("chain");
    await press("Control+Alt+Enter");
    await expectText("src/chain-shop.ts", text("src/chain-shop.ts").replaceAll("chainOf", "chainBy"));
    await expectText("src/chain.ts", text("src/chain.ts").replaceAll("chainOf", "chainBy"));
    await expect.poll(() => code.messages()).toMatch(/changed 2 files: src[/]chain\S*, src[/]chain/);
    await code.run("Emend: Undo the Last Edit by Emend");
    await expectText("src/chain-shop.ts", text("src/chain-shop.ts"));
    await expectText("src/chain.ts", text("src/chain.ts").replace("chainOf", "chainBy"));
  }, 120_000);

  test("Tab indents at the start of a line even when a next edit is near", async () => {
    await rename("indent");
    await code.openAt("indent.ts", 2, 1);
    await status("next edit in line 6");
    await press("Tab");
    const renamed = text("src/indent.ts").replace("indentOf", "indentBy");
    await expectText("src/indent.ts", renamed.replace("  return count", "    return count"));
  }, 120_000);

  test("Tab goes to the next field of a snippet", async () => {
    await rename("snippet");
    await code.openAt("snippet.ts", 8, 1);
    await press("Control+Alt+s");
    // Digits cause no ghost text, which would take precedence.
    await type("1");
    await status("next edit");
    await press("Tab");
    await type("2");
    const renamed = text("src/snippet.ts").replace("snippetOf", "snippetBy");
    await expectText("src/snippet.ts", renamed.replace("}\n\nexport const", "}\npair(1, 2)\nexport const"));
  }, 120_000);

  test("Tab accepts the item selected in the list of suggestions", async () => {
    // Ghost text would take precedence over the next edit.
    await rename("suggest", "tsx");
    await code.openAt("suggest.tsx", 8, 1);
    await type("twic");
    await status("next edit");
    await press("Control+Space");
    await code.page.locator(".suggest-widget.visible .monaco-list-row.focused", { hasText: "twice" }).waitFor();
    await press("Tab");
    const renamed = text("src/suggest.tsx").replace("suggestOf", "suggestBy");
    await expectText("src/suggest.tsx", renamed.replace("}\n\nexport const", "}\ntwice\nexport const"));
  }, 120_000);

  test("Escape rejects a next edit, which is not shown again", async () => {
    await rename("reject");
    await press("Escape");
    await status(/^(?!.*next edit)/);
    await press("ArrowDown");
    await press("ArrowDown");
    await press("Tab");
    await type("x");
    await expect.poll(() => code.statusText(), { timeout: 3_000 }).not.toMatch("next edit in line 6");
  }, 120_000);

  test("an instruction changes the document with the model of the user's own file", async () => {
    await code.openAt("greet.ts", 1, 1);
    await press("Control+k");
    await press("Control+Enter");
    await code.page.locator(".quick-input-widget", { hasText: "Edit the document" }).waitFor();
    await type("Say good morning");
    await press("Enter");
    await expect.poll(() => chat.prompts.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await code.page.locator(".view-lines", { hasText: /good.morning/ }).waitFor();
    await expectText("src/greet.ts", 'export const greeting = "good morning";\n');
  }, 120_000);

  test("without a chat model, the prompt is copied and the answer of a chat is pasted", async () => {
    writeOwnConfig({ edit: {} });
    await code.openAt("pasted.ts", 1, 1);
    const edit = async () => {
      await code.run("Notifications: Clear All Notifications");
      await press("Control+k");
      await press("Control+Enter");
      await code.page.locator(".quick-input-widget", { hasText: "Edit the document" }).waitFor();
      await type("Say good evening");
      await press("Enter");
      await code.button("Copy the Prompt").waitFor();
    };
    await edit();
    expect(await code.messages()).toMatch(/cannot chat.*Set '?emend\.edit\.model'? to a chat model/);
    await code.button("Choose a Model").click();
    await code.page.getByText("The chat model that carries out instructions").first().waitFor();
    await press("Escape");
    await code.openAt("pasted.ts", 1, 1);
    await edit();
    await code.button("Copy the Prompt").click();
    await code.button("Paste the Answer").click();
    await expect.poll(() => code.messages()).toMatch("no answer yet");
    const prompt = await code.page.evaluate<string>("navigator.clipboard.readText()");
    expect(prompt).toContain("Say good evening");
    const answer = '@@ 1 export const pasted\nexport const pasted = "good evening";\n@@ end\n';
    await code.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(answer)})`);
    await code.button("Paste the Answer").click();
    await code.page.locator(".view-lines", { hasText: /good.evening/ }).waitFor();
    await expectText("src/pasted.ts", 'export const pasted = "good evening";\n');
  }, 120_000);

  test("a plan without changes can be shown, and not applied", async () => {
    work.git("commit", "--quiet", "--all", "--allow-empty", "--message=before");
    work.write({ "src/greet.ts": text("src/greet.ts").replace("hello", "welcome") });
    await code.openAt("cart.ts", 1, 1);
    await code.run("Emend: Plan from Uncommitted Git Changes");
    // The progress has a button to cancel, the result has none.
    const message = code.page.locator(".notification-list-item");
    await message.filter({ hasText: "1 done", hasNotText: "Cancel" }).first().waitFor();
    expect(await message.locator(".monaco-button", { hasText: "Apply" }).count()).toBe(0);
    await code.run("Notifications: Clear All Notifications");
    work.write({ "src/greet.ts": text("src/greet.ts") });
  }, 120_000);

  test("a plan from uncommitted changes is shown step by step and applied", async () => {
    work.git("commit", "--quiet", "--all", "--allow-empty", "--message=before");
    work.write({ "shop/price.ts": text("shop/price.ts").replace("price(", "cents(") });
    await code.openAt("cart.ts", 1, 1);
    await code.run("Emend: Plan from Uncommitted Git Changes");
    await code.page
      .locator(".monaco-list-row", { hasText: /total\s*shop\/cart\.ts: / })
      .first()
      .waitFor();
    const apply = code.page.locator(".notification-list-item .monaco-button", { hasText: /^Apply$/ });
    await apply.click();
    await expectText("shop/cart.ts", 'import { cents } from "./price";\n\nexport const total = cents(7);\n');
    await code.page.getByText("The changes of the plan are applied.").first().waitFor();
    await expect.poll(() => code.messages()).toMatch(/the plan is applied to shop[/]cart\.ts/);
    await code.button("Undo").click();
    await expectText("shop/cart.ts", text("shop/cart.ts"));
    await code.page.getByText("The changes of the plan are applied.").first().waitFor({ state: "hidden" });
  }, 120_000);
});

/** The environment without the variables of Emend on this machine. */
function ownEnvironment(): Readonly<Record<string, string>> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("EMEND_"));
  return Object.fromEntries(inherited) as Record<string, string>;
}
