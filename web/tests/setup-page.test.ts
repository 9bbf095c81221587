import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasBrowser } from "../../src/cli/fixtures/browser.ts";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { canTestLlamaServer, startLlamaServer } from "../../src/model/node/fixtures/llama-server.ts";
import { scriptedCompany } from "../../src/model/node/fixtures/scripted-company.ts";
import { ScriptedServer } from "../../src/model/node/fixtures/scripted-server.ts";
import { writeTinyModel } from "../../src/model/node/fixtures/tiny-model.ts";
import { PageVisit } from "./fixtures/page-visit.ts";
import { type RouterOptions, scriptedRouter } from "./fixtures/scripted-router.ts";

let visit: PageVisit;
const canTestPage = hasBrowser();

beforeAll(async () => {
  if (canTestPage && process.env["EMEND_PAGE"] === undefined) await buildPackage();
}, 300_000);
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") await visit?.screenshot("failed");
  await visit?.[Symbol.asyncDispose]();
});

const code = ["Price", "Weight", "Size"]
  .map(
    (name) =>
      `export function sum${name}(left: Item, right: Item) {\n  const total = add(left, right, quantity);\n  return total;\n}\n`,
  )
  .join("");

async function open(environment: Readonly<Record<string, string>> = {}): Promise<Locator> {
  visit = await PageVisit.open({ files: { "a.ts": code }, environment });
  return showSetup();
}

async function showSetup(): Promise<Locator> {
  await visit.page.keyboard.press("F1");
  await visit.page.getByRole("combobox").fill(">Set Up a Model");
  await visit.page.keyboard.press("Enter");
  return visit.page.getByRole("region", { name: "Set up a model" });
}

async function look(setup: Locator, url: string): Promise<void> {
  await setup.getByLabel("Server address").fill(url);
  await setup.getByRole("button", { name: /^Look/ }).click();
}

async function router(options: RouterOptions) {
  const server = await scriptedRouter(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const ownSettings = (): unknown => JSON.parse(readFileSync(visit.settingsFile, "utf8"));

const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one.ownerDocument.activeElement === one);

const textOf = async (element: Locator): Promise<string> => (await element.textContent()) ?? "";

/** The models of the running language server, in the status panel. */
async function modelsInUse(): Promise<readonly string[]> {
  const status = await visit.panel("Status");
  return status.locator(".models strong").allTextContents();
}

describe.runIf(canTestPage)("Set Up a Model on the page", { timeout: 240_000, retry: 1 }, () => {
  test.runIf(canTestLlamaServer())(
    "a model of the real llama.cpp server is tried, written, used and removed",
    async () => {
      const setup = await open();
      const file = join(visit.repository.folder, ".git", "tiny.gguf");
      const after = { "<HOLE>": { "1": 6 }, "1": { ";": 6 }, ";": { "</s>": 6 }, "<0x0A>": { "</s>": 6 } };
      writeFileSync(file, writeTinyModel({ after, contextTokens: 4096 }));
      const server = await startLlamaServer(file, "-c", "2048");
      onTestFinished(() => server[Symbol.dispose]());
      const model = `llamacpp:${server.url}`;
      await look(setup, server.url);
      const question = setup.getByRole("region", { name: "Write this?" });
      await question.waitFor();
      const tried = setup.getByRole("region", { name: `Server at ${server.url}` });
      expect(await textOf(tried)).toMatch(/ghost text[\s\S]*first token after \d+ ms[\s\S]*no template is needed/);
      expect(await textOf(question)).toContain(`For ${visit.settingsFile}:\n  model: ["${model}","builtin"]`);
      expect(existsSync(visit.settingsFile)).toBe(false);
      await question.getByRole("button", { name: "Write", exact: true }).click();
      const report = setup.getByRole("region", { name: "The model is set up" });
      await report.waitFor();
      expect(ownSettings()).toEqual({ model: [model, "builtin"] });
      const completion = report.getByRole("region", { name: "Completion" });
      expect(await textOf(completion)).toContain(`by ${model}`);
      await expect.poll(modelsInUse).toEqual([model, "builtin"]);
      await report.getByRole("button", { name: "Remove these lines" }).click();
      await setup.getByText("is deleted: it had only", { exact: false }).waitFor();
      expect(existsSync(visit.settingsFile)).toBe(false);
      await expect.poll(modelsInUse).toEqual(["builtin"]);
      expect(visit.errors).toEqual([]);
    },
  );

  test("models are listed after loading, and the chosen ones alone are tried, from the keyboard", async () => {
    const setup = await open({ EMEND_MODEL: "builtin" });
    const models = ["small-coder", "big-coder", "small-chat", "nomic-embed-text"];
    const server = await router({ models, loadingRequests: 6 });
    const { keyboard } = visit.page;
    await setup.getByLabel("Server address").focus();
    await keyboard.type(server.url);
    await keyboard.press("Enter");
    await setup.getByText(/^Waiting for llama\.cpp at .*, which loads/).waitFor();
    const boxes = setup.getByRole("checkbox");
    await boxes.first().waitFor();
    expect(await boxes.count()).toBe(3);
    expect(await textOf(setup.getByRole("listitem").filter({ hasText: "nomic" }))).toContain("embeddings only");
    // The first one is chosen, and has the focus.
    for (const key of ["Space", "Tab", "Space", "Tab", "Space", "Enter"]) await keyboard.press(key);
    await setup.getByRole("region", { name: /for next edits, too/ }).waitFor();
    for (const key of ["Tab", "Tab", "Enter"]) await keyboard.press(key);
    await setup.getByRole("region", { name: "Write this?" }).waitFor();
    const texts = await setup.getByRole("listitem").allTextContents();
    expect(texts.map((text) => /ghost text|chat(?=loaded)|embeddings/.exec(text)?.[0])).toEqual([
      ...[undefined, "ghost text", "chat", "embeddings"],
    ]);
    expect(await textOf(setup)).toContain("EMEND_MODEL counts over model");
    expect(server.seen.map(({ body }) => body?.model).filter((name) => name === "small-coder")).toEqual([]);
    await keyboard.press("Tab");
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await setup.getByRole("region", { name: "Nothing was written" }).waitFor();
    expect(existsSync(visit.settingsFile)).toBe(false);
    expect(visit.errors).toEqual([]);
  });

  test("at an address without a server: what is missing there, and a completion of the built-in model", async () => {
    const setup = await open();
    await look(setup, "http://127.0.0.1:1");
    const report = setup.getByRole("region", { name: "No model server answers" });
    await report.waitFor();
    expect(await textOf(report)).toMatch(/Nothing listens at http:\/\/127\.0\.0\.1:1\.[\s\S]*by builtin/);
  });

  test("an address can be corrected while a search waits", async () => {
    const setup = await open();
    const server = await router({ models: ["small-coder"], loadingRequests: 1_000 });
    await look(setup, server.url);
    await setup.getByText(/^Waiting for llama\.cpp at .*, which loads/).waitFor();
    await look(setup, "http://127.0.0.1:1");
    await setup.getByRole("region", { name: "No model server answers" }).waitFor();
    expect(visit.errors).toEqual([]);
  });

  test("another machine is contacted only after a confirmation, and a wrong address is named", async () => {
    const setup = await open();
    await look(setup, "http://192.0.2.1:8012");
    const question = setup.getByRole("region", { name: /192\.0\.2\.1:8012 is not on this machine/ });
    await question.getByRole("button", { name: "Don't contact" }).click();
    await expect.poll(() => isFocused(setup.getByRole("button", { name: "Look for models" }))).toBe(true);
    await look(setup, "my server");
    expect(await textOf(setup.getByRole("alert"))).toMatch(/my server is no address of a server/);
  });

  test("a hosted model is contacted after a confirmation, and its key comes from a command", async () => {
    const setup = await open();
    const server = await ScriptedServer.start(scriptedCompany);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const model = `mistral:${server.url}#codestral-latest`;
    const key = "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z";
    const keyFile = join(visit.repository.folder, ".git", "key");
    writeFileSync(keyFile, `${key}\n`);
    const setUp = async (name: string) => {
      await setup.getByRole("combobox", { name: "Hosted model" }).fill(name);
      await setup.getByRole("button", { name: "Set up hosted model" }).click();
    };
    await setUp("nobody");
    expect(await textOf(setup.getByRole("alert"))).toMatch(/^nobody names no hosted model\. Write one of mistral/);
    await setUp(model);
    const transfer = setup.getByRole("region", { name: `Send this to ${server.url}?` });
    await transfer.waitFor();
    expect(await textOf(transfer)).toMatch(/later: for ghost text the text around the cursor/);
    await visit.checkAccess();
    await transfer.getByRole("button", { name: "Contact", exact: true }).click();
    const command = setup.getByLabel(/Which command prints/);
    await command.waitFor();
    expect(await isFocused(command)).toBe(true);
    expect(server.seen).toEqual([]);
    await visit.checkAccess();
    await visit.page.keyboard.type(key);
    await visit.page.keyboard.press("Enter");
    await setup.getByText("That looks like a key").waitFor();
    await setup.getByLabel(/Which command prints/).fill(`cat "${keyFile}"`);
    await visit.page.keyboard.press("Enter");
    await setup
      .getByRole("region", { name: /for next edits, too/ })
      .getByRole("button", { name: "Don't" })
      .click();
    await setup.getByRole("button", { name: "Write", exact: true }).click();
    await setup.getByRole("region", { name: "The model is set up" }).waitFor();
    expect(await textOf(setup.getByRole("list", { name: "Hosted models" }))).toMatch(/ghost text[\s\S]*chat/);
    await visit.checkAccess();
    expect(ownSettings()).toEqual({
      model: [model, "builtin"],
      edit: { model },
      models: { [model]: { keyCommand: ["cat", keyFile] } },
    });
    const posts = server.seen.filter(({ method }) => method === "POST");
    expect(new Set(posts.map(({ headers }) => headers["authorization"]))).toEqual(new Set([`Bearer ${key}`]));
    // A later visit takes the setup back, once.
    const undo = setup.getByRole("button", { name: "Undo an earlier setup" });
    await visit.page.reload();
    await visit.page.getByRole("tab", { name: "Edit", exact: true }).waitFor();
    await showSetup();
    await undo.click();
    await setup.getByText("is deleted: it had only", { exact: false }).waitFor();
    await visit.page.reload();
    await visit.page.getByRole("tab", { name: "Edit", exact: true }).waitFor();
    await showSetup();
    await setup.getByRole("button", { name: "Look for models" }).waitFor();
    expect(await undo.count()).toBe(0);
    expect(visit.errors).toEqual([]);
  });

  test("a hosted model without a key is sent nothing, and what to set is named", async () => {
    const setup = await open();
    const server = await ScriptedServer.start(scriptedCompany);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const field = setup.getByRole("combobox", { name: "Hosted model" });
    await field.fill(`mistral:${server.url}#codestral-latest`);
    await field.press("Enter");
    await setup.getByRole("button", { name: "Contact", exact: true }).click();
    await setup.getByRole("button", { name: "No command" }).click();
    expect(await textOf(setup.getByRole("alert"))).toMatch(
      /There is no key\. Set OPENAI_COMPATIBLE_API_KEY .*restart emend serve/,
    );
    expect([server.seen, existsSync(visit.settingsFile)]).toEqual([[], false]);
  });

  test("a folder is trusted with a button, after a confirmation, and its settings count at once", async () => {
    const model = "openai-compatible:http://127.0.0.1:1#gone";
    const settings = JSON.stringify({ model: [model, "builtin"] });
    visit = await PageVisit.open({
      files: { "a.ts": code, "emend.config.json": settings },
      environment: { EMEND_TRUST: "" },
    });
    const { page, repository } = visit;
    const questions: string[] = [];
    const answer = (isYes: boolean) =>
      page.once("dialog", (dialog) => {
        questions.push(dialog.message());
        void (isYes ? dialog.accept() : dialog.dismiss());
      });
    const message = page.getByRole("log", { name: "Messages" });
    answer(false);
    await message.getByRole("button", { name: "Trust this folder" }).click();
    expect(existsSync(visit.settingsFile)).toBe(false);
    await page.getByRole("tab", { name: "Status has a problem" }).click();
    const status = page.getByRole("tabpanel", { name: "Status" });
    const untrusted = status.getByRole("region", { name: "This folder is not trusted" });
    const button = untrusted.getByRole("button", { name: "Trust this folder" });
    await button.waitFor();
    expect(await textOf(untrusted)).toMatch(/model servers that get your code, and may run commands/);
    expect(await textOf(untrusted)).not.toMatch(/--trust|EMEND_TRUST/);
    await visit.checkAccess();
    await visit.screenshot("untrusted");
    answer(true);
    await button.click();
    await message.getByText("is trusted. Its settings count from now on.").waitFor();
    await untrusted.waitFor({ state: "detached" });
    expect(questions).toEqual(Array(2).fill(expect.stringContaining(`Trust ${repository.folder}?`)));
    expect(ownSettings()).toEqual({ trust: [repository.folder] });
    await expect.poll(modelsInUse).toEqual([model, "builtin"]);
    answer(true);
    await page.keyboard.press("F1");
    await page.getByRole("combobox").fill(">Trust This Folder");
    await page.keyboard.press("Enter");
    await message.getByText("is trusted already.").waitFor();
    expect(visit.errors).toEqual([]);
  });

  test("the first failure of a model is shown once, with the button that sets up a model", async () => {
    const model = "openai-compatible:http://127.0.0.1:1#gone";
    const settings = JSON.stringify({ model: [model, "builtin"] });
    visit = await PageVisit.open({ files: { "a.ts": code, "emend.config.json": settings } });
    await visit.openFile("a.ts");
    await visit.page.locator(".native-edit-context").first().focus();
    await visit.page.keyboard.press("Control+End");
    await visit.page.keyboard.type("const x = su", { delay: 40 });
    const message = visit.page.getByRole("log", { name: "Messages" });
    await message.getByRole("button", { name: "Set up a model" }).click();
    await visit.page.getByRole("region", { name: "Set up a model" }).waitFor();
    expect(await isFocused(visit.page.getByRole("button", { name: "Look for models" }))).toBe(true);
    expect(await textOf(message)).toBe("");
  });
});
