import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { CancellationTokenSource } from "vscode-languageserver/node";
import { toFileUri } from "../../server/index.ts";
import type {
  PlanApplyResult,
  PlanListResult,
  PlanName,
  PlanStartParams,
  PlanTaskResult,
  PlanViewParams,
} from "../../server/protocol/plan-protocol.ts";
import { PlanClient } from "../fixtures/plan-client.ts";
import {
  cart,
  cartRenamed,
  cartWithRate,
  price,
  renamed,
  Shop,
  show,
  showRenamed,
  showWithRate,
  withRate,
} from "../fixtures/plan-shop.ts";
import { compiler } from "../fixtures/plan-trial.ts";
import { fenced, type ScriptedBookServer, serveBook } from "../fixtures/scripted-book-server.ts";

const opened: AsyncDisposable[] = [];
const books: ScriptedBookServer[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
  for (const book of books.splice(0)) await book[Symbol.asyncDispose]();
});

async function editorOf(shop: Shop): Promise<PlanClient> {
  const client = await PlanClient.open(shop);
  opened.push(client);
  return client;
}

/** A shop with a change that is not committed, and an editor of it. */
async function changedTo(text: string): Promise<{ readonly shop: Shop; readonly editor: PlanClient }> {
  const shop = new Shop();
  shop.write({ "src/price.ts": text });
  return { shop, editor: await editorOf(shop) };
}

function statuses({ view }: PlanViewParams): readonly string[] {
  return view.steps.map(({ id, status, name, author }) => `${id} ${name} ${status}${author ? ` by ${author}` : ""}`);
}

function functionOf(file: string): string {
  return file.slice(file.indexOf("export function"));
}

const apply = (editor: PlanClient, plan: string, more: object = {}) =>
  editor.request<PlanApplyResult>("apply", { plan, ...more });

/** A verification command that is content once the gate is open. */
function gateOf({ environment }: Shop): { readonly verifier: string; open(): void } {
  const path = join(environment["EMEND_STATE_DIR"]!, "../open");
  const code = `const fs=require('fs');setInterval(()=>fs.existsSync('${path}')&&process.exit(0),20)`;
  return { verifier: `exit:node -e "${code}"`, open: () => writeFileSync(path, "") };
}

describe("a plan", () => {
  test("propagates the difference to the last commit, and returns its result", async () => {
    const { shop, editor } = await changedTo(renamed);
    const end = await editor.runToEnd();
    expect(statuses(end)).toEqual([
      "1 cents changed",
      "2 ./price done by rule rename",
      "3 ./price done by rule rename",
      "4 total unchanged",
      "5 show unchanged",
    ]);
    expect(end).toMatchObject({ isRunning: false, isApplied: false, notes: [] });
    expect(end.view.end).toBe("The plan is done. Nothing is left to do.");
    expect(end.diff).toContain("+  return list.reduce((sum, one) => sum + cents(one), 0);");
    expect(end).not.toHaveProperty("doubt");
    expect(end).not.toHaveProperty("problem");
    // Nothing of the person's was touched.
    expect(shop.texts()).toEqual([renamed, cart, show]);
  });

  test("sends its first and last view, and not every step", async () => {
    const { editor } = await changedTo(renamed);
    const end = await editor.runToEnd();
    expect(editor.views[0]).toMatchObject({ plan: end.plan, isRunning: true, isApplied: false });
    expect(editor.views.at(-1)).toBe(end);
    expect(editor.views.slice(0, -1).every(({ isRunning, view }) => isRunning && view.plan === end.plan)).toBe(true);
  });

  test.each<[string, PlanStartParams, RegExp]>([
    ["a range of git", { seed: "HEAD~1" }, /done by rule rename/],
    [
      "the findings of a verifier",
      { seed: "findings", verifiers: [`tsc:${compiler} --noEmit`] },
      /^1 \.\/price obligation\n2 \.\/price obligation$/,
    ],
  ])("starts from %s", async (_, params, expected) => {
    const shop = new Shop();
    shop.commit({ "src/price.ts": renamed });
    const editor = await editorOf(shop);
    const end = await editor.runToEnd(params);
    expect(statuses(end).join("\n")).toMatch(expected);
  });

  test("starts at a line with an instruction for a model, and propagates its edit", async () => {
    const about = (block: string) => ["Take a rate.", `Now it is about the ${block}, `];
    const book = await serveBook([
      {
        expected: about("function price in src/price.ts"),
        answer: fenced(...functionOf(withRate).trimEnd().split("\n")),
      },
      {
        expected: about("function total in src/cart.ts"),
        answer: fenced(...functionOf(cartWithRate).trimEnd().split("\n")),
      },
      {
        expected: about("function show in src/show.ts"),
        answer: fenced(...functionOf(showWithRate).trimEnd().split("\n")),
      },
      { expected: ["Take a rate."], answer: "No changes." },
    ]);
    books.push(book);
    const editor = await editorOf(new Shop());
    const at = { uri: editor.uriOf("src/price.ts"), line: 1 };
    const end = await editor.runToEnd({ instruction: "Take a rate.", at, models: [book.model] });
    expect(end.view).toMatchObject({ instruction: "Take a rate.", tokens: { shown: expect.any(Number) } });
    // The model is named as soon as the plan runs.
    expect(editor.views[0]!.notes).toEqual([`Steps without a rule are sent to ${book.model}.`]);
    expect(statuses(end)[0]).toMatch(/^1 price done by openai-compatible:.*#scripted$/);
    for (const line of ["+export function price(euros: number, rate: number)", "price(one, 100)", "price(7, 100)"])
      expect(end.diff).toContain(line);
  });

  test("goes on without a model that cannot be reached, and says so at its end", async () => {
    const { shop, editor } = await changedTo(withRate);
    const book = await serveBook([]);
    await book[Symbol.asyncDispose]();
    const end = await editor.runToEnd({ models: [book.model] });
    expect(end).not.toHaveProperty("problem");
    expect(end).not.toHaveProperty("doubt");
    expect(end.view.end).toMatch(/^The open steps are left to you\. The model failed: .*127\.0\.0\.1/);
    expect(shop.texts()).toEqual([withRate, cart, show]);
  });
});

describe("a verification command", () => {
  test("that cannot run fails the plan, whose result needs a confirmation", async () => {
    const shop = new Shop();
    shop.write({ "src/price.ts": renamed });
    const editor = await editorOf(shop);
    // It reports nothing before the plan, and cannot be run after it.
    const verifier = `exit:node -e "if(require('fs').readFileSync('src/cart.ts','utf8').includes('cents'))process.kill(process.pid,'SIGKILL')"`;
    const end = await editor.runToEnd({ verifiers: [verifier] });
    expect(end.view.verdicts.map(({ round }) => round)).toEqual([0, 1]);
    expect(end.problem).toContain(verifier.slice(5));
    expect(end.doubt).toContain(end.problem!);
    const not = await apply(editor, end.plan);
    expect(not).toMatchObject({ isApplied: false, failureReason: end.doubt });
    expect(editor.applied).toEqual([]);
    expect(await apply(editor, end.plan, { isSeen: true })).toMatchObject({ isApplied: true });
    expect(editor.text("src/cart.ts")).toBe(cartRenamed);
  });

  test("with new diagnostics starts another round", async () => {
    const { editor } = await changedTo(withRate);
    const end = await editor.runToEnd({ verifiers: [`tsc:${compiler} --noEmit`], maxRounds: 1 });
    expect(end.view.verdicts.at(-1)!.findings.join("\n")).toContain("src/cart.ts");
  });
});

describe("the result of a plan", () => {
  test("is sent to the editor for its current documents, and undone there", async () => {
    const { shop, editor } = await changedTo(renamed);
    await editor.open("src/cart.ts");
    const { plan } = await editor.runToEnd();
    const result = await apply(editor, plan);
    expect(result).toMatchObject({ isApplied: true, files: ["src/cart.ts", "src/show.ts"] });
    expect([editor.text("src/cart.ts"), editor.text("src/show.ts")]).toEqual([cartRenamed, showRenamed]);
    expect(result.edit!.documentChanges).toMatchObject([
      { textDocument: { uri: editor.uriOf("src/cart.ts"), version: 1 } },
      { textDocument: { uri: editor.uriOf("src/show.ts"), version: null } },
    ]);
    expect(editor.applied).toMatchObject([{ label: "Emend: plan" }]);
    expect(await editor.request("show", { plan })).toMatchObject({ isApplied: true });
    // All of it is there, so that there is nothing more to do.
    expect(await apply(editor, plan)).toEqual({ isApplied: true, files: [] });
    await editor.undo();
    expect([editor.text("src/cart.ts"), editor.text("src/show.ts")]).toEqual([cart, show]);
    expect(await editor.request("show", { plan })).toMatchObject({ isApplied: false });
    // The disk never had it.
    expect(shop.texts()).toEqual([renamed, cart, show]);
    expect(await apply(editor, plan)).toMatchObject({ isApplied: true, files: ["src/cart.ts", "src/show.ts"] });
  });

  test("is known for an undo while the disk has it", async () => {
    const { shop, editor } = await changedTo(renamed);
    const { plan } = await editor.runToEnd();
    expect(await editor.request("changes", { plan })).toEqual({ files: [] });
    await apply(editor, plan);
    shop.write({ "src/cart.ts": cartRenamed, "src/show.ts": showRenamed });
    const files = [
      { path: "src/cart.ts", before: cart, after: cartRenamed },
      { path: "src/show.ts", before: show, after: showRenamed },
    ];
    expect(await editor.request("changes", { plan })).toEqual({ files });
    shop.write({ "src/show.ts": show });
    expect(await editor.request("changes", { plan })).toEqual({ files });
    shop.write({ "src/cart.ts": cart });
    expect(await editor.request("changes", { plan })).toEqual({ files: [] });
  });

  test.each<[string, (text: string) => string, (text: string) => string]>([
    ["a byte order mark, which an editor does not count", (text) => `\uFEFF${text}`, (text) => text],
    ["other line endings", (text) => text.replaceAll("\n", "\r\n"), (text) => text.replaceAll("\n", "\r\n")],
    ["characters of two units", (text) => `// 😀\n${text}`, (text) => `// 😀\n${text}`],
  ])("fits files with %s", async (_, onDisk, shown) => {
    const shop = new Shop();
    shop.commit({ "src/cart.ts": onDisk(cart) });
    shop.write({ "src/price.ts": renamed });
    const editor = await editorOf(shop);
    await editor.open("src/cart.ts", shown(cart));
    const { plan } = await editor.runToEnd();
    expect(await apply(editor, plan)).toMatchObject({ isApplied: true });
    expect(editor.text("src/cart.ts")).toBe(shown(cartRenamed));
    expect(await editor.request("show", { plan })).toMatchObject({ isApplied: true });
  });

  test("is not applied in any file when one has changed meanwhile", async () => {
    const { shop, editor } = await changedTo(renamed);
    await editor.open("src/cart.ts");
    const { plan } = await editor.runToEnd();
    await editor.type("src/cart.ts", `${cart}// mine\n`);
    const unsaved = await apply(editor, plan);
    expect(unsaved).toMatchObject({ isApplied: false, failureReason: expect.stringMatching(/^src\/cart\.ts changed/) });
    await editor.undo();
    shop.write({ "src/show.ts": `${show}// mine\n` });
    const onDisk = await apply(editor, plan);
    expect(onDisk).toMatchObject({ isApplied: false, failureReason: expect.stringMatching(/^src\/show\.ts changed/) });
    expect(editor.applied).toEqual([]);
  });

  test("is based on the plan's copy, not on text that was saved while it ran", async () => {
    const { shop, editor } = await changedTo(renamed);
    editor.onView = ({ view }) => {
      if (view.steps.length > 0) shop.write({ "src/cart.ts": `// mine\n${cart}` });
    };
    const { plan } = await editor.runToEnd();
    expect(shop.read("src/cart.ts")).toContain("mine");
    expect(await apply(editor, plan)).toMatchObject({
      isApplied: false,
      failureReason: expect.stringContaining("src/cart.ts changed"),
    });
  });

  test("is continued once it is saved", async () => {
    const { shop, editor } = await changedTo(withRate);
    const { plan } = await editor.runToEnd();
    expect(await apply(editor, plan)).toEqual({ isApplied: true, files: [] });
    await editor.open("src/cart.ts");
    await editor.type("src/cart.ts", cartWithRate);
    await expect(editor.request("continue", { plan })).rejects.toThrow("src/cart.ts is not saved");
    editor.save();
    const end = await editor.resume("continue", { plan });
    expect(statuses(end).slice(1)).toEqual(["2 total done by a person", "3 show done by rule example"]);
    expect(await apply(editor, plan)).toMatchObject({ isApplied: true, files: ["src/show.ts"] });
    expect(editor.text("src/show.ts")).toBe(showWithRate);
    editor.save();
    expect(shop.texts()).toEqual([withRate, cartWithRate, showWithRate]);
    expect(await editor.request("show", { plan })).toMatchObject({ isApplied: true });
  });
});

describe("a step of a plan", () => {
  test("that is left has a prompt for a chat, and takes the chat's answer", async () => {
    const { editor } = await changedTo(withRate);
    const { plan, view, left } = await editor.runToEnd({ instruction: "Take the rate." });
    expect(left).toEqual([
      { step: 2, line: 2 },
      { step: 3, line: 3 },
    ]);
    expect(view.steps[1]).toMatchObject({ id: 2, name: "total", status: "obligation" });
    const { text } = await editor.request<PlanTaskResult>("task", { plan, step: 2 });
    for (const part of ["Take the rate.", "changed its signature (+rate)", functionOf(cart)])
      expect(text).toContain(part);
    const known = editor.views.length;
    await editor.request("continue", { plan, answer: { step: 2, text: "I would rather not." } });
    const refused = await editor.whenStopped(plan, known);
    expect(refused.problem).toContain("The answer cannot be used: ");
    expect(statuses(refused)).toEqual(statuses(await editor.whenStopped(plan)));
    const answer = { step: 2, text: `Here you are:\n\n${fenced(...functionOf(cartWithRate).trimEnd().split("\n"))}` };
    const end = await editor.resume("continue", { plan, ...{ answer } } as PlanName);
    expect(statuses(end).slice(1)).toEqual(["2 total done by a person", "3 show done by rule example"]);
    expect(end).not.toHaveProperty("problem");
  });

  test("that needs no change is marked as done", async () => {
    const { editor } = await changedTo(withRate);
    const { plan } = await editor.runToEnd();
    const end = await editor.resume("continue", { plan, ...{ done: [2, 3] } } as PlanName);
    expect(statuses(end).slice(1)).toEqual(["2 total unchanged", "3 show unchanged"]);
    expect(end.view.end).toBe("The plan is done. Nothing is left to do.");
  });

  test("is undone with the steps that it caused", async () => {
    const { editor } = await changedTo(renamed);
    const { plan } = await editor.runToEnd();
    const end = await editor.resume("reject", { plan, ...{ step: 2, reason: "Not here." } } as PlanName);
    // Its block names what does not exist.
    const note = "Rejected (Not here.); the type checker reports an error here without that change.";
    expect(end.view.steps[1]).toMatchObject({ status: "obligation", note });
    expect(end.diff).toContain("src/show.ts");
    expect(end.diff).not.toContain("src/cart.ts");
  });
});

test("a step that was applied and saved is undone in the files", async () => {
  const { shop, editor } = await changedTo(renamed);
  const { plan } = await editor.runToEnd();
  await apply(editor, plan);
  editor.save();
  const known = editor.views.length;
  await editor.request("reject", { plan, step: 2 });
  const end = await editor.whenStopped(plan, known);
  expect(end).toMatchObject({ isApplied: false });
  const [path] = (await apply(editor, plan)).files;
  editor.save();
  expect(shop.read(path!)).toBe(path === "src/cart.ts" ? cart : show);
  expect(await editor.request("show", { plan })).toMatchObject({ isApplied: true });
});

describe("a stopped plan", () => {
  test("stops before the answer arrives, and continues to the same end", async () => {
    const { shop, editor } = await changedTo(renamed);
    const gate = gateOf(shop);
    const { plan } = await editor.start({ verifiers: [gate.verifier] });
    await editor.until(({ activity }) => activity?.startsWith("Running `") === true);
    await editor.request("stop", { plan });
    const stopped = editor.views.at(-1)!;
    expect(stopped).toMatchObject({ plan, isRunning: false, notes: ["The plan was stopped, and can be continued."] });
    expect(stopped).not.toHaveProperty("diff");
    const failureReason = "The plan has not ended. Continue it first.";
    expect(await apply(editor, plan)).toMatchObject({ isApplied: false, failureReason });
    expect(await editor.request("stop", { plan })).toBeNull();
    gate.open();
    const end = await editor.resume("continue", { plan });
    expect(end.view.end).toBe("The plan is done. Nothing is left to do.");
    expect(await apply(editor, plan)).toMatchObject({ isApplied: true });
    expect([editor.text("src/cart.ts"), editor.text("src/show.ts")]).toEqual([cartRenamed, showRenamed]);
  });

  test("before it has an id leaves no journal", async () => {
    const { editor } = await changedTo(renamed);
    const source = new CancellationTokenSource();
    const asking = editor.request("start", {}, source.token);
    source.cancel();
    await expect(asking).rejects.toThrow("emend/plan/start was cancelled");
    expect(await editor.request("list", {})).toEqual({ plans: [] });
    expect(editor.views).toEqual([]);
    await editor.runToEnd();
  });

  test("of another client is followed until it stops", async () => {
    const { shop, editor: first } = await changedTo(renamed);
    const gate = gateOf(shop);
    const { plan } = await first.start({ verifiers: [gate.verifier] });
    await first.until(({ activity }) => activity?.startsWith("Running `") === true);
    const second = await editorOf(shop);
    expect(await second.request("list", {})).toMatchObject({ plans: [{ plan, isRunning: true }] });
    expect(await second.request("show", { plan })).toMatchObject({ isRunning: true, isApplied: false });
    const failureReason = "Another process is running the plan. Wait until it has ended.";
    expect(await apply(second, plan)).toMatchObject({ isApplied: false, failureReason });
    const known = second.views.length;
    await second.request("continue", { plan });
    const busy = await second.until(({ problem }) => problem !== undefined, known);
    expect(busy).toMatchObject({ isRunning: true, problem: expect.stringMatching(/^Another Emend/) });
    gate.open();
    const end = await second.until((view) => view.view.end !== undefined && !view.isRunning);
    expect(end).toEqual(await first.whenStopped(plan));
  });

  test("after a kill continues from its last event", async () => {
    const { shop, editor } = await changedTo(renamed);
    const { plan } = await editor.runToEnd();
    const { diff } = await editor.whenStopped(plan);
    shop.cutJournal(3);
    expect(await editor.request("show", { plan })).toMatchObject({ isRunning: false, isApplied: false });
    expect(await editor.request("show", { plan })).not.toHaveProperty("diff");
    expect((await editor.resume("continue", { plan })).diff).toBe(diff);
  });

  test("of a disconnected client is listed for the next one, which continues it", async () => {
    const shop = new Shop();
    shop.write({ "src/price.ts": renamed });
    const gate = gateOf(shop);
    const first = await PlanClient.open(shop);
    const { plan } = await first.start({ instruction: "Rename.", verifiers: [gate.verifier] });
    await first.until(({ activity }) => activity?.startsWith("Running `") === true);
    await first.hangUp();
    // Its copy went with it.
    expect(readdirSync(join(shop.environment["EMEND_CACHE_DIR"]!, "plans"))).toEqual([]);
    const editor = await editorOf(shop);
    const { plans } = await editor.request<PlanListResult>("list", {});
    expect(plans).toEqual([
      {
        plan,
        title: "Rename.",
        instruction: "Rename.",
        files: 0,
        startedAt: expect.any(Number),
        progress: "Before round 1",
        isRunning: false,
      },
    ]);
    expect(await editor.request("show", { plan })).toMatchObject({
      isRunning: false,
      view: { instruction: "Rename." },
    });
    gate.open();
    expect((await editor.resume("continue", { plan })).diff).toContain("cents(one)");
  });

  test("is kept like a plan of `emend plan`, and the reverse", async () => {
    const { shop, editor } = await changedTo(renamed);
    const { plan } = await editor.runToEnd();
    expect((await shop.run(["plan", "apply", "--yes"])).exitCode).toBe(0);
    expect(await editor.request("show", { plan })).toMatchObject({ isApplied: true });
    expect((await shop.run(["undo"])).exitCode).toBe(0);
    expect(await editor.request("show", { plan })).toMatchObject({ isApplied: false });
    await shop.run(["plan", "--dry-run"]);
    const { plans } = await editor.request<PlanListResult>("list", {});
    expect(plans.map(({ progress }) => progress)).toEqual(["Round 1: 5 done", "Round 1: 5 done"]);
    expect(plans[1]!.plan).toBe(plan);
    expect(await apply(editor, plans[0]!.plan)).toMatchObject({ isApplied: true });
  });
});

describe("failures contain what to do", () => {
  test("for a second plan in a folder while one runs", async () => {
    const { shop, editor } = await changedTo(renamed);
    const gate = gateOf(shop);
    const { plan } = await editor.start({ verifiers: [gate.verifier] });
    const message = `A plan runs in ${shop.folder} already, ${plan}. Wait until it has ended, or stop it.`;
    await expect(editor.start()).rejects.toThrow(message);
    await expect(editor.request("continue", { plan })).rejects.toThrow(message);
    await expect(apply(editor, plan)).rejects.toThrow("The plan runs. Wait until it has ended, or stop it.");
    expect(await editor.request("show", { plan })).toMatchObject({ isRunning: true });
    expect(await editor.request("list", {})).toMatchObject({ plans: [{ plan, isRunning: true }] });
    gate.open();
    await editor.whenStopped(plan);
    await editor.runToEnd();
  });

  test("for unsaved documents", async () => {
    const { editor } = await changedTo(renamed);
    await editor.open("src/cart.ts");
    await editor.type("src/cart.ts", `${cart}\n`);
    await editor.open("src/new.ts", "export const a = 1;\n");
    const message =
      "src/cart.ts, src/new.ts are not saved, and a plan works with the files on the disk. Save them, and try again.";
    await expect(editor.start()).rejects.toThrow(message);
    await expect(editor.start({ seed: "HEAD" })).rejects.toThrow(message);
    editor.save();
    await editor.runToEnd();
  });

  test.each<[string, string, object, string]>([
    ["an unknown range", "start", { seed: "no-such" }, "This repository has no commit called no-such."],
    ["half a range", "start", { seed: "HEAD...no-such" }, "This repository has no commit called no-such."],
    ["a file for a range", "start", { seed: "src/price.ts" }, "src/price.ts is a file."],
    ["an empty instruction", "start", { instruction: " " }, "The instruction is empty."],
    ["an unknown plan", "continue", { plan: "no-such" }, "There is no plan no-such"],
  ])("for %s before unsaved documents", async (_, method, params, message) => {
    const { editor } = await changedTo(renamed);
    await editor.open("src/cart.ts");
    await editor.type("src/cart.ts", `${cart}\n`);
    await expect(editor.request(method, params)).rejects.toThrow(message);
  });

  test.each<[string, (editor: PlanClient) => PlanStartParams, string]>([
    ["nothing was changed", () => ({}), "Nothing differs between HEAD and the work tree."],
    ["a range that there is not", () => ({ seed: "no-such" }), "This repository has no commit called no-such."],
    ["a file for a range", () => ({ seed: "src/price.ts" }), "src/price.ts is a file. A plan starts with"],
    ["a file of another folder", () => ({ seed: "/etc/passwd" }), "/etc/passwd is a file."],
    ["findings without a verification command", () => ({ seed: "findings" }), "`findings` requires one of `verifiers`"],
    [
      "a line without an instruction",
      (editor) => ({ at: { uri: editor.uriOf("src/price.ts"), line: 0 } }),
      "`at` requires an `instruction`",
    ],
    [
      "a line and a range",
      (editor) => ({ instruction: "x", seed: "HEAD", at: { uri: editor.uriOf("src/price.ts"), line: 0 } }),
      "Give one of them.",
    ],
    [
      "a line of another folder",
      () => ({ instruction: "x", at: { uri: "file:///etc/hosts", line: 0 } }),
      "is not in an open folder.",
    ],
    [
      "a line that there is not",
      (editor) => ({ instruction: "x", at: { uri: editor.uriOf("src/price.ts"), line: 99 } }),
      "There is no block at src/price.ts:100",
    ],
    ["an empty instruction", () => ({ instruction: " " }), "The instruction is empty."],
    ["a verifier without a command", () => ({ verifiers: ["tsc:"] }), "tsc:"],
    ["no step at all", () => ({ maxSteps: 0 }), "`maxSteps` must be a whole number, from 1."],
    ["a model that is none", () => ({ models: ["no such"] }), "no such"],
    ["verifiers that are no texts", () => ({ verifiers: [1] as never }), "`verifiers` must be a list of strings."],
  ])("%s", async (_, params, message) => {
    const editor = await editorOf(new Shop());
    const refused: Error = await editor.start(params(editor)).then(
      () => new Error("It began."),
      (error) => error,
    );
    expect(refused.message).toContain(message);
    // An editor has no flags, and nothing is typed there.
    expect(refused.message).not.toMatch(/emend plan| --(at|seed|model|workspace)\b/);
    // The folder is free for the next one.
    expect(await editor.request("list", {})).toEqual({ plans: [] });
  });

  test.each<[string, string, object, string]>([
    ["a plan that there is not", "show", { plan: "no-such" }, "There is no plan no-such"],
    ["a name that is none", "show", { plan: "../x" }, '"../x" is no valid name of a plan'],
    ["no plan", "apply", {}, "emend/plan/apply requires `plan`, which is a string."],
    ["a step that is none", "task", { plan: "x", step: "1" }, "A step must be a number, from 1."],
    ["another folder", "list", { uri: "file:///etc" }, "file:///etc is not in an open folder."],
  ])("%s", async (_, method, params, message) => {
    const editor = await editorOf(new Shop());
    await expect(editor.request(method, params)).rejects.toThrow(message);
  });

  test("for a missing folder where several are open", async () => {
    const [one, other] = [new Shop(), new Shop()];
    other.write({ "src/price.ts": renamed });
    const editor = await PlanClient.open(one, undefined, [other.folder]);
    opened.push(editor);
    await expect(editor.start()).rejects.toThrow("Several folders are open. Name one as `uri`");
    for (const uri of [
      toFileUri(other.folder),
      `${toFileUri(other.folder)}/`,
      toFileUri(`${other.folder}/src/price.ts`),
    ])
      expect(await editor.request<PlanListResult>("list", { uri })).toEqual({ plans: [] });
    const { plan, uri } = await editor.start({ uri: toFileUri(other.folder) });
    expect(uri).toBe(toFileUri(other.folder));
    expect((await editor.whenStopped(plan)).diff).toContain("cents(one)");
    await expect(editor.request("show", { plan, uri: toFileUri(one.folder) })).rejects.toThrow(
      `There is no plan ${plan}`,
    );
  });

  test("for steps that are not left to the person", async () => {
    const { editor } = await changedTo(renamed);
    const { plan } = await editor.runToEnd();
    await expect(editor.request("task", { plan, step: 1 })).rejects.toThrow("Step 1 is done");
    await expect(editor.request("task", { plan, step: 9 })).rejects.toThrow("There is no step 9: the plan has 5.");
    await expect(editor.request("continue", { plan, done: [1] })).rejects.toThrow("Step 1 is done");
    const answer = { step: 2, text: "x" };
    await expect(editor.request("continue", { plan, answer })).rejects.toThrow("Step 2 is done");
    const known = editor.views.length;
    await editor.request("reject", { plan, step: 1 });
    expect(await editor.whenStopped(plan, known)).toMatchObject({
      problem: expect.stringContaining("your own change"),
    });
  });

  test("for a named model that cannot chat", async () => {
    const { editor } = await changedTo(renamed);
    const end = await editor.runToEnd({ models: ["builtin"] });
    expect(end.problem).toContain("`builtin` completes code and cannot chat");
  });

  test("for an editor that applies no edits", async () => {
    const shop = new Shop();
    shop.write({ "src/price.ts": renamed });
    const editor = await PlanClient.open(shop, {});
    opened.push(editor);
    const { plan } = await editor.runToEnd();
    const failureReason = "The editor does not support edits from a server.";
    expect(await apply(editor, plan)).toMatchObject({ isApplied: false, failureReason });
  });
});

describe("a folder without git", () => {
  test("has no change to propagate, and a plan from an instruction works", async () => {
    const shop = new Shop();
    shop.removeGit();
    const editor = await editorOf(shop);
    await expect(editor.start()).rejects.toThrow("is not in a git repository");
    const at = { uri: editor.uriOf("src/price.ts"), line: 0 };
    const { plan, view } = await editor.runToEnd({ instruction: "Take a rate.", at });
    expect(view).toMatchObject({ base: "none", end: "The open steps are left to you." });
    const answer = { step: 1, text: fenced(...withRate.trimEnd().split("\n")) };
    const end = await editor.resume("continue", { plan, ...{ answer } } as PlanName);
    expect(statuses(end)).toEqual(["1 price done by a person", "2 total obligation", "3 show obligation"]);
    expect(await apply(editor, plan)).toMatchObject({ isApplied: true, files: ["src/price.ts"] });
    await editor.undo();
    expect(editor.text("src/price.ts")).toBe(price);
  });
});
