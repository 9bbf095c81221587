import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../../src/cli/fixtures/browser.ts";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { greetings } from "./fixtures/greetings.ts";
import { PageVisit, type VisitOptions } from "./fixtures/page-visit.ts";

let visit: PageVisit | undefined;

const canTestPage = hasBrowser();

beforeAll(async () => {
  if (canTestPage && process.env["EMEND_PAGE"] === undefined) await buildPackage();
}, 300_000);

afterEach(async ({ task }) => {
  // A screenshot of the failure.
  if (task.result?.state === "fail") await visit?.screenshot(`failed ${task.name.replace(/\W+/g, " ")}`);
  const errors = visit?.errors ?? [];
  await visit?.[Symbol.asyncDispose]();
  visit = undefined;
  expect(errors).toEqual([]);
});

async function open(path: string, options: Partial<VisitOptions> = {}): Promise<PageVisit> {
  visit = await PageVisit.open({ files: greetings, ...options });
  await visit.openFile(path);
  visit.page.setDefaultTimeout(30_000);
  const hint = visit.page.getByRole("button", { name: "Hide keys" });
  await hint.click();
  await visit.page.locator(".monaco-editor textarea, .native-edit-context").first().focus();
  return visit;
}

/** Puts the cursor before a column of a line, both from 1. */
async function goTo({ page }: PageVisit, line: number, column: number): Promise<void> {
  await page.locator(".native-edit-context").first().focus();
  await page.keyboard.press("Control+g");
  const field = page.locator(".quick-input-widget input").first();
  await field.waitFor();
  await field.fill(`:${line}:${column}`);
  await page.keyboard.press("Enter");
  await page.getByText(`${line}:${column}`, { exact: true }).waitFor();
}

/** Saves the active document and reads the file from disk. */
async function saved(on: PageVisit, path: string): Promise<string> {
  await on.page.keyboard.press("Control+s");
  await on.page.locator(".document-tab[aria-selected=true] .dirty").waitFor({ state: "detached" });
  return on.read(path);
}

/** Opens the page, renames a function in it, and waits for the next place of it. */
async function openRenamed() {
  const on = await open("src/greet.ts");
  const { page } = on;
  await goTo(on, 1, 17);
  await page.keyboard.press("Control+Delete");
  await page.keyboard.type("salute", { delay: 60 });
  const bar = page.getByRole("region", { name: "Next edit" });
  await bar.getByText("src/users.ts:1").waitFor();
  return { on, page, bar };
}

/** Runs the command _Emend: Undo Accept All_. */
async function undoAcceptAll(page: PageVisit["page"]): Promise<void> {
  await page.keyboard.press("F1");
  await page.getByRole("combobox", { name: "Name of a command" }).fill(">undo accept all");
  await page.keyboard.press("Enter");
}

const ghostText = ".ghost-text-decoration, .ghost-text";

/** Waits until the whole of a tab is visible in its row. */
async function expectInRow(tab: Locator): Promise<void> {
  const isInRow = () =>
    tab.evaluate((own) => {
      const { left, right } = own.getBoundingClientRect();
      const row = own.parentElement!.getBoundingClientRect();
      return left > row.left - 1 && right < row.right + 1;
    });
  await expect.poll(isInRow, poll).toBe(true);
}

/** The text of an element, with spaces instead of the editor's no-break spaces. */
async function textOf(place: Locator): Promise<string | undefined> {
  return (await place.textContent())?.replaceAll("\u00a0", " ");
}

/** The gutter indicator that the editor shows at the line of a next edit. */
const nextEditMark = ".inline-edits-view-gutter-indicator .codicon:visible";

/** The timeout of the page's other waits. */
const poll = { timeout: 30_000 };

// On a busy machine a key may arrive before the page listens. Each attempt opens a new page.
describe.runIf(canTestPage)("the editor of the page", { retry: 2 }, () => {
  test("ghost text is shown automatically, and accepted by word and in whole", async () => {
    const on = await open("src/users.ts");
    const { page } = on;
    await goTo(on, 17, 2);
    await page.keyboard.type("\n\nexport function hello(user: User): string {\nconst te", { delay: 30 });
    const ghost = page.locator(ghostText).first();
    await expect.poll(() => textOf(ghost), poll).toBe("xt = greet(user.name);");
    await on.screenshot("ghost-text");
    await page.keyboard.press("Control+ArrowRight");
    await expect.poll(() => textOf(ghost), poll).toBe(" = greet(user.name);");
    await page.keyboard.press("Tab");
    expect(await saved(on, "src/users.ts")).toContain("  const text = greet(user.name);\n}\n");
  });

  test("the list of keys is hidden while the user types, and the Keys button shows the list again", async () => {
    const on = await open("src/users.ts");
    const { page } = on;
    const keys = page.getByRole("complementary", { name: "Keys" });
    await page.getByRole("button", { name: "Keys" }).click();
    await goTo(on, 17, 2);
    await page.keyboard.type(`\n// ${"a".repeat(30)}`);
    expect(await keys.isVisible()).toBe(true);
    await page.keyboard.type("a".repeat(10));
    await keys.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Keys" }).click();
    await keys.waitFor();
    // The list covers no code, and Escape hides it.
    const [code, list] = [await page.locator(".editor").boundingBox(), await keys.boundingBox()];
    expect(code!.y + code!.height).toBeLessThanOrEqual(list!.y);
    await page.locator(".native-edit-context").first().focus();
    await page.keyboard.press("Escape");
    await keys.waitFor({ state: "detached" });
    // The next start of the server has another port and another path.
    const cookies = await page.context().cookies("http://127.0.0.1:1/another/");
    expect(cookies.map(({ name, value }) => `${name}=${value}`)).toEqual(["emendKeysSeen=1"]);
  });

  test("Ctrl+P opens a file by parts of its path, from any part of the page", async () => {
    const on = await open("src/greet.ts");
    const { page } = on;
    const field = page.getByRole("combobox", { name: "Path of a file" });
    await page.keyboard.press("Control+p");
    await field.fill("usr");
    await page.getByRole("option", { name: "src/users.ts", selected: true }).waitFor();
    await on.checkAccess();
    await on.screenshot("go-to-file");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "users.ts", selected: true }).waitFor();
    await page.locator(".editor :focus").waitFor({ state: "attached" });
    await (await on.panel("Status")).focus();
    await page.keyboard.press("Control+p");
    await field.fill("no such file");
    await page.getByText("No match.").waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    await page.getByRole("tabpanel", { name: "Status" }).and(page.locator(":focus")).waitFor();
  });

  test("F1 lists the commands of the page, of its panels and of the editor, with their keys", async () => {
    const on = await open("src/users.ts");
    const { page } = on;
    await on.panel("Plan");
    await page.keyboard.press("F1");
    const field = page.getByRole("combobox", { name: "Name of a command" });
    const commands = [
      ...[
        "File: Save",
        "File: Save All",
        "File: Go to File",
        "Emend: Go to the Next Edit",
        "Emend: Request Ghost Text",
        ...["Emend: Trust This Folder", "Emend: Turn Suggestions Off", "File: Undo"],
      ],
      ...["View: Files", "View: Editor", "View: Explain", "View: Edit", "View: Plan", "View: Status", "Plan: Start"],
      ...["View: Next Part of the Page", "View: Color Theme: dark", "Edit: Add File", "Toggle Line Comment"],
    ];
    for (const command of commands) {
      await field.fill(`>${command}`);
      await page.getByRole("option", { name: command }).first().waitFor();
    }
    await field.fill(">save");
    await page.getByRole("option", { name: "File: Save Ctrl+S" }).waitFor();
    // Keys that only the editor handles are listed, too.
    for (const named of ["File: Undo Ctrl+Z", "Emend: Request Ghost Text Alt+\\"]) {
      await field.fill(`>${named.replace(/ \S+$/, "")}`);
      await page.getByRole("option", { name: named }).waitFor();
    }
    await field.fill(">save");
    await on.screenshot("commands");
    await field.fill(">status");
    await page.keyboard.press("Enter");
    await page.locator("#tab-status:focus").waitFor();
    await page.keyboard.press("F1");
    await field.fill(">color theme dark");
    await page.keyboard.press("Enter");
    await page.locator("html[data-scheme=dark]").waitFor();
    // Ctrl+S saves from any part of the page.
    await goTo(on, 1, 1);
    await page.keyboard.type("// first\n");
    await on.panel("Explain");
    expect(await saved(on, "src/users.ts")).toMatch(/^\/\/ first\n/);
  });

  test("occurrences of a word are highlighted after the cursor is placed, not when a file is opened", async () => {
    const on = await open("src/users.ts");
    const { page } = on;
    const marks = page.locator(".wordHighlightText, .wordHighlight, .wordHighlightStrong");
    // Longer than the editor waits before it highlights.
    await page.waitForTimeout(2_000);
    expect(await marks.count()).toBe(0);
    await page.keyboard.press("Control+ArrowRight");
    await expect.poll(() => marks.count(), poll).toBe(1);
    await on.openFile("src/orders.ts");
    await page.waitForTimeout(2_000);
    expect(await marks.count()).toBe(0);
  });

  test("Tab goes to the next edit of a file, and accepts it", async () => {
    const on = await open("src/users.ts");
    const { page } = on;
    await goTo(on, 6, 12);
    await page.keyboard.press("Control+Delete");
    await page.keyboard.type("address", { delay: 40 });
    const bar = page.getByRole("region", { name: "Next edit" });
    await bar.getByText("line 11").waitFor();
    await page.locator(nextEditMark).first().waitFor();
    await bar.getByRole("button", { name: "Go Tab" }).waitFor();
    await on.screenshot("next-edit");
    await page.keyboard.press("Tab");
    await page.getByText("11:29", { exact: true }).waitFor();
    await bar.getByRole("button", { name: "Accept Tab" }).waitFor();
    await page.keyboard.press("Tab");
    await bar.waitFor({ state: "detached" });
    expect(await saved(on, "src/users.ts")).toContain('  return text + " (" + user.address + ")";');
  });

  test.each(["Tab", "Alt+n"])("%s goes to the next edit on an empty line, and accepts it", async (key) => {
    const on = await open("src/orders.ts");
    const { page } = on;
    await goTo(on, 5, 2);
    await page.keyboard.press("Enter");
    await page.keyboard.type("export const emailOf = (user: User) => user.email;", { delay: 20 });
    const bar = page.getByRole("region", { name: "Next edit" });
    await bar.getByText("imports User").waitFor();
    await page.locator(nextEditMark).first().waitFor();
    await page.keyboard.press(key);
    await page.getByText("2:1", { exact: true }).waitFor();
    await bar.getByRole("button", { name: "Accept Tab" }).waitFor();
    await page.keyboard.press(key);
    await bar.waitFor({ state: "detached" });
    expect(await saved(on, "src/orders.ts")).toMatch(
      /^import \{ greet \} from "\.\/greet";\nimport .*User.*\n\nexport/,
    );
  });

  test("Tab accepts a near next edit, and then the repetition of both edits", async () => {
    const on = await open("src/users.ts");
    const { page } = on;
    await goTo(on, 10, 9);
    await page.keyboard.press("Control+Delete");
    await page.keyboard.type("message", { delay: 40 });
    const bar = page.getByRole("region", { name: "Next edit" });
    for (const line of ["line 11", "line 15"]) {
      await bar.getByText(line).waitFor();
      await page.locator(nextEditMark).first().waitFor();
      await page.keyboard.press("Tab");
    }
    await bar.waitFor({ state: "detached" });
    const text = await saved(on, "src/users.ts");
    expect(text).toContain('  const message = greet(user.name);\n  return message + " (" + user.email + ")";\n');
    expect(text).toContain('  const message = greet(user.name);\n  return message + ", goodbye";\n');
  });

  test("next edits of a rename in other files are listed, visited, and accepted at once", async () => {
    const { on, page, bar } = await openRenamed();
    await bar.getByRole("button", { name: "4 more locations" }).click();
    await expect.poll(() => bar.getByRole("listitem").count(), poll).toBe(5);
    // The reasons have a common column.
    const reasons = await bar
      .locator(".next-place > .dim")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
    expect(new Set(reasons).size).toBe(1);
    await on.screenshot("next-edit-chain");
    await page.locator(".native-edit-context").first().focus();
    await page.keyboard.press("Alt+n");
    await page.getByRole("tab", { name: "users.ts", selected: true }).waitFor();
    await page.locator(nextEditMark).first().waitFor();
    await bar.getByRole("button", { name: "Accept all 5" }).click();
    const message = page.getByText("Applied 5 edits to src/orders.ts and src/users.ts. Nothing is saved yet.");
    await message.waitFor();
    await on.checkAccess();
    await on.screenshot("accepted-all");
    // Closed files are opened, and stay unsaved together with the others.
    await page.getByRole("tab", { name: "orders.ts" }).waitFor();
    for (const path of ["src/users.ts", "src/orders.ts"] as const) expect(on.read(path)).toBe(greetings[path]);
    // The message covers no code, and disappears; the command stays.
    const [code, list] = [await page.locator(".editor").boundingBox(), await message.boundingBox()];
    expect(code!.y + code!.height).toBeLessThanOrEqual(list!.y);
    await message.waitFor({ state: "detached" });
    await undoAcceptAll(page);
    await page.getByText("Took back the edits of src/orders.ts and src/users.ts.").waitFor();
    // The texts are those of the disk again, so nothing is unsaved.
    for (const name of ["users.ts", "orders.ts"])
      await page.getByRole("tab", { name, exact: true }).locator(".dirty").waitFor({ state: "detached" });
    for (const path of ["src/users.ts", "src/orders.ts"] as const) expect(on.read(path)).toBe(greetings[path]);
    await page.getByRole("tab", { name: "greet.ts" }).click();
    expect(await saved(on, "src/greet.ts")).toContain("function salute(");
  });

  test.each([1, 3])(
    "row 28: after %d accepted edits of a rename, the rest in all files is accepted at once",
    async (count) => {
      const { on, page, bar } = await openRenamed();
      await bar.getByRole("button", { name: "4 more locations" }).waitFor();
      for (let left = 5; left > 5 - count; left--) {
        const button = bar.getByRole("button", { name: /^(Go|Accept) (Tab|Alt N)$/ });
        await button.waitFor();
        if ((await button.textContent())!.startsWith("Go")) {
          await page.keyboard.press("Alt+n");
          await bar.getByRole("button", { name: "Accept Tab" }).waitFor();
        }
        await page.keyboard.press("Tab");
        await bar.getByRole("button", { name: `Accept all ${left - 1}` }).waitFor();
      }
      await bar.getByRole("button", { name: `Accept all ${5 - count}` }).click();
      await page.getByText(/^Applied \d edits to .*\. Nothing is saved yet\.$/).waitFor();
      for (const path of ["src/users.ts", "src/orders.ts"] as const) {
        await page.getByRole("tab", { name: path.slice("src/".length) }).click();
        expect(await saved(on, path)).toBe(greetings[path].replaceAll(/\bgreet\b(?!")/g, "salute"));
      }
    },
  );

  test("Undo Accept All leaves a file that has changed since, and replaces the message", async () => {
    const { on, page, bar } = await openRenamed();
    await bar.getByRole("button", { name: "4 more locations" }).waitFor();
    await bar.getByRole("button", { name: "Accept all 5" }).click();
    const applied = page.getByText("Applied 5 edits to src/orders.ts and src/users.ts. Nothing is saved yet.");
    await applied.waitFor();
    await page.getByRole("tab", { name: "orders.ts" }).click();
    await goTo(on, 1, 1);
    await page.keyboard.type("//");
    await undoAcceptAll(page);
    await page.getByText("Took back the edits of src/users.ts.").waitFor();
    expect(await applied.count()).toBe(0);
    await page.getByText("src/orders.ts has changed since and was not undone.").waitFor();
    await page.getByRole("tab", { name: "users.ts", exact: true }).locator(".dirty").waitFor({ state: "detached" });
    // After the later change is taken back, the file is undone, too.
    await page.locator(".native-edit-context").first().focus();
    await page.keyboard.press("Control+z");
    await expect.poll(() => on.editorText(), poll).not.toContain("//");
    await undoAcceptAll(page);
    await page.getByText("Took back the edits of src/orders.ts.").waitFor();
    await page.getByRole("tab", { name: "orders.ts", exact: true }).locator(".dirty").waitFor({ state: "detached" });
  });

  test("a next edit disappears without a key after its file was changed on the disk", async () => {
    const { on, bar } = await openRenamed();
    await bar.getByRole("button", { name: "4 more locations" }).waitFor();
    const paths = ["src/users.ts", "src/orders.ts"] as const;
    on.repository.write(
      Object.fromEntries(paths.map((path) => [path, greetings[path].replaceAll(/\bgreet\b(?!")/g, "salute")])),
    );
    await bar.waitFor({ state: "detached" });
  });

  test("the bar names the key that goes to a next edit in another file", async () => {
    const { on, page, bar } = await openRenamed();
    await bar.getByRole("button", { name: "Go Tab" }).waitFor();
    // Tab indents at the start of a line.
    await page.keyboard.press("Home");
    await bar.getByRole("button", { name: "Go Alt N" }).waitFor();
    await page.keyboard.press("End");
    await bar.getByRole("button", { name: "Go Tab" }).waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("tab", { name: "users.ts", selected: true }).waitFor();
    await page.locator(nextEditMark).first().waitFor();
    await bar.getByRole("button", { name: "Accept Tab" }).waitFor();
    // Back in the file of the rename, the same edit is in another file again.
    await page.keyboard.press("Control+p");
    await page.getByRole("combobox", { name: "Path of a file" }).fill("greet");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "greet.ts", selected: true }).waitFor();
    await bar.getByText("src/users.ts:1").waitFor();
    await bar.getByRole("button", { name: "Go Tab" }).waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("tab", { name: "users.ts", selected: true }).waitFor();
    await page.locator(nextEditMark).first().waitFor();
    await bar.getByRole("button", { name: "Accept Tab" }).click();
    expect(await saved(on, "src/users.ts")).toContain('import { salute } from "./greet";');
  });

  test("Tab indents a selection even when a suggestion is visible", async () => {
    const on = await open("src/greet.ts");
    const { page } = on;
    await goTo(on, 1, 17);
    await page.keyboard.press("Control+Delete");
    await page.keyboard.type("salute", { delay: 60 });
    await page.getByRole("region", { name: "Next edit" }).getByText("src/users.ts:1").waitFor();
    await goTo(on, 2, 1);
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Tab");
    expect(await saved(on, "src/greet.ts")).toContain('    return "Hello " + name;');
  });

  test("a mistake in the settings marks the tab Status until it is mended", async () => {
    const on = await open("src/users.ts", { files: { ...greetings, "emend.config.json": '{ "modle": "builtin" }' } });
    const { page, repository } = on;
    await page.getByRole("tab", { name: "Status has a problem" }).waitFor();
    await page.getByRole("log", { name: "Messages" }).getByText("Did you mean model?").waitFor();
    await page.getByRole("button", { name: "Did you mean model?" }).waitFor();
    await on.checkAccess();
    writeFileSync(join(repository.folder, "emend.config.json"), "{}");
    await page.getByRole("tab", { name: "Status", exact: true }).waitFor();
  });

  test("an error stays until a key closes it, and the line of the cursor stays visible", async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `const n${index} = ${index};\n`).join("");
    const on = await open("src/long.ts", { files: { "src/long.ts": lines, "blob.bin": "\0" } });
    const { page } = on;
    await page.keyboard.press("Control+End");
    const cursor = page.locator(".monaco-editor .cursor").first();
    const isCursorVisible = async () => {
      const [code, box] = [await page.locator(".editor").boundingBox(), await cursor.boundingBox()];
      return box !== null && box.y + box.height <= code!.y + code!.height;
    };
    await expect.poll(isCursorVisible, poll).toBe(true);
    const message = page.getByRole("log", { name: "Messages" }).getByText("blob.bin is not text");
    await page.getByRole("treeitem", { name: "blob.bin" }).click();
    await message.waitFor();
    await expect.poll(isCursorVisible, poll).toBe(true);
    await page.locator(".native-edit-context").first().focus();
    await page.keyboard.press("Escape");
    await message.waitFor({ state: "detached" });
    await page.getByRole("treeitem", { name: "blob.bin" }).click();
    await message.waitFor();
    await page.keyboard.press("F1");
    await page.getByRole("combobox", { name: "Name of a command" }).fill(">close all messages");
    await page.keyboard.press("Enter");
    await message.waitFor({ state: "detached" });
    expect(on.errors.splice(0)).toEqual(Array(2).fill(expect.stringContaining("415")));
  });

  test("F1 turns suggestions off, and snoozes them", async () => {
    const on = await open("src/users.ts");
    const { page } = on;
    const run = async (command: string) => {
      await page.keyboard.press("F1");
      await page.getByRole("combobox", { name: "Name of a command" }).fill(`>${command}`);
      await page.keyboard.press("Enter");
    };
    await run("turn suggestions off for typescript");
    const off = page.getByRole("button", { name: "Suggestions off" });
    await off.waitFor();
    await off.click();
    await off.waitFor({ state: "detached" });
    await run("snooze suggestions");
    const snoozed = page.getByRole("button", { name: "Snoozed for 5 min" });
    await snoozed.waitFor();
    await run("end the snooze");
    await snoozed.waitFor({ state: "detached" });
  });

  test("the reason for no suggestion is in the status line and in the Explain panel", async () => {
    const on = await open("README.md");
    const { page } = on;
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Qzxv", { delay: 30 });
    await page.getByRole("button", { name: /^No suggestion: / }).waitFor();
    const panel = await on.panel("Explain");
    await panel.getByText("No suggestion.").waitFor();
    await on.screenshot("silence");
  });

  test("changes on disk are read, and conflicting changes are not lost", async () => {
    const on = await open("src/greet.ts");
    const { page, repository } = on;
    const path = join(repository.folder, "src/greet.ts");
    const lines = page.locator(".view-lines");
    writeFileSync(path, on.read("src/greet.ts").replace("Hello", "Good day"));
    await lines.getByText("Good").first().waitFor();
    await goTo(on, 1, 1);
    await page.keyboard.type("// mine\n");
    writeFileSync(path, on.read("src/greet.ts").replace("Good day", "Howdy"));
    const conflict = page.locator(".conflict-bar");
    await conflict.getByText("has changed on disk").waitFor();
    await on.screenshot("conflict");
    await conflict.getByRole("button", { name: "Keep mine" }).click();
    await conflict.waitFor({ state: "detached" });
    expect(on.read("src/greet.ts")).toMatch(/^\/\/ mine\n[\s\S]*Good day/);
  });

  test("the text of the editor is compared with that of the disk before one of them is taken", async () => {
    const on = await open("src/greet.ts");
    const { page, repository } = on;
    const onDisk = (word: string) => {
      const text = greetings["src/greet.ts"].replace("Hello", word);
      writeFileSync(join(repository.folder, "src/greet.ts"), text);
      return text;
    };
    await goTo(on, 1, 1);
    await page.keyboard.type("// mine\n");
    onDisk("Howdy");
    const conflict = page.locator(".conflict-bar");
    const comparison = page.getByRole("region", { name: "Comparison with the disk" });
    const rows = async (kind: "delete" | "insert") =>
      (await comparison.locator(`.diff-row.${kind} .diff-text`).allTextContents()).map((row) => row.trim());
    await conflict.getByRole("button", { name: "Compare" }).click();
    await comparison.and(page.locator(":focus")).waitFor();
    expect([await rows("delete"), await rows("insert")]).toEqual([
      ['return "Howdy " + name;'],
      ["// mine", 'return "Hello " + name;'],
    ]);
    expect(await conflict.isVisible()).toBe(false);
    await on.checkAccess();
    await on.screenshot("compare");
    // Another change of the disk is compared, too, and is not overwritten unseen.
    let isHeld = true;
    await page.route(/api\/file\?path=src%2Fgreet.ts/, async (route) => {
      if (isHeld && route.request().method() === "PUT") onDisk("Good day");
      isHeld = false;
      await route.continue();
    });
    await comparison.getByRole("button", { name: "Keep mine" }).click();
    await page.getByText("src/greet.ts has changed on disk once more. Nothing was written.").waitFor();
    await expect.poll(() => rows("delete"), poll).toEqual(['return "Good day " + name;']);
    // The disk's text replaces the one of the editor, which Undo brings back.
    await comparison.getByRole("button", { name: "Take the disk's" }).click();
    await comparison.waitFor({ state: "detached" });
    await expect.poll(() => on.editorText(), poll).toContain("Good day");
    await page.locator(".editor :focus").waitFor({ state: "attached" });
    await page.keyboard.press("Control+z");
    await expect.poll(() => on.editorText(), poll).toContain("// mine");
    expect(on.read("src/greet.ts")).toBe(greetings["src/greet.ts"].replace("Hello", "Good day"));
    expect(on.errors.splice(0)).toEqual([expect.stringContaining("412")]);
  });

  test("the text of a file that was deleted on disk is saved again, or closed after a confirmation", async () => {
    const on = await open("src/greet.ts");
    const { page, repository } = on;
    const remove = () => rmSync(join(repository.folder, "src/greet.ts"));
    const conflict = page.locator(".conflict-bar");
    remove();
    await conflict.getByText("src/greet.ts was deleted on disk.").waitFor();
    await conflict.getByRole("button", { name: "Save again" }).click();
    await conflict.waitFor({ state: "detached" });
    expect(on.read("src/greet.ts")).toBe(greetings["src/greet.ts"]);
    remove();
    await conflict.getByText("src/greet.ts was deleted on disk.").waitFor();
    await page.locator(".native-edit-context").first().focus();
    await page.keyboard.press("Control+s");
    await page.getByRole("log").getByText("src/greet.ts was not saved, because it was deleted on disk.").waitFor();
    const questions: string[] = [];
    const answer = (isYes: boolean) =>
      page.once("dialog", (dialog) => {
        questions.push(dialog.message());
        void (isYes ? dialog.accept() : dialog.dismiss());
      });
    answer(false);
    await conflict.getByRole("button", { name: "Close file" }).click();
    await page.getByRole("tab", { name: "greet.ts" }).waitFor();
    answer(true);
    await conflict.getByRole("button", { name: "Close file" }).click();
    await page.getByRole("tab", { name: "greet.ts" }).waitFor({ state: "detached" });
    expect(questions).toEqual(Array(2).fill("Close src/greet.ts without saving?"));
    on.errors.splice(0);
  });

  test("the tab of the visible file is scrolled into view among many tabs", async () => {
    const paths = Array.from({ length: 12 }, (_, index) => `file-${index + 10}.ts`);
    const on = await open(paths[0]!, { files: Object.fromEntries(paths.map((path) => [path, ""])) });
    for (const path of [...paths, paths[0]!]) {
      await on.openFile(path);
      await expectInRow(on.page.getByRole("tab", { name: path, selected: true }));
    }
    // The dot of unsaved changes makes the last tab wider.
    await on.openFile(paths.at(-1)!);
    await on.page.locator(".native-edit-context").first().focus();
    await on.page.keyboard.type("a");
    const tab = on.page.getByRole("tab", { name: paths.at(-1)!, selected: true });
    await tab.locator(".dirty").waitFor();
    await expectInRow(tab);
  });

  test("a start file that is loaded late does not replace the active document", async () => {
    visit = await PageVisit.open({ files: greetings });
    const { page } = visit;
    await page.getByRole("tab", { name: "greet.ts", selected: true }).waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/file\?path=src%2Fgreet\.ts/, async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    await visit.openFile("src/users.ts");
    release();
    await page.getByRole("tab", { name: "greet.ts" }).waitFor();
    expect(await page.getByRole("tab", { name: "users.ts", selected: true }).isVisible()).toBe(true);
  });

  test("a file is created in an empty folder, and by the command", async () => {
    visit = await PageVisit.open({ files: {} });
    const { page } = visit;
    const name = (path: string) => page.once("dialog", (dialog) => void dialog.accept(path));
    name("src/first.ts");
    await page.getByRole("button", { name: "New file" }).click();
    await page.getByRole("tab", { name: "first.ts", selected: true }).waitFor();
    expect(visit.read("src/first.ts")).toBe("");
    const questions: string[] = [];
    const answers = ["src/", "src/more/", "second.ts"];
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void dialog.accept(answers[questions.length - 1]);
    });
    await page.keyboard.press("F1");
    await page.getByRole("combobox", { name: "Name of a command" }).fill(">new file");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "second.ts", selected: true }).waitFor();
    await page.getByRole("treeitem", { name: "second.ts" }).waitFor();
    expect(questions).toEqual([
      "Path of the new file, relative to the folder:",
      "src/ names a folder. Add the name of the file:",
      "src/more/ names a folder. Add the name of the file:",
    ]);
    await visit.checkAccess();
  });

  test("every part of the page is reached by keyboard", async () => {
    const on = await open("src/greet.ts");
    const { page } = on;
    const focused = () => page.locator(":focus");
    await page.keyboard.press("F6");
    await expect.poll(() => focused().getAttribute("id"), poll).toBe("tab-explain");
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("tabpanel", { name: "Status" }).getByRole("heading", { name: "Models" }).waitFor();
    await page.keyboard.press("F6");
    await expect.poll(() => focused().getAttribute("class"), poll).toContain("last-result");
    await page.keyboard.press("F6");
    await expect.poll(() => focused().textContent(), poll).toContain("Keys");
    await page.keyboard.press("F6");
    await expect.poll(() => focused().getAttribute("role"), poll).toBe("treeitem");
    await page.keyboard.press("F6");
    await page.locator(".editor :focus").waitFor({ state: "attached" });
    await page.keyboard.press("Shift+F6");
    await expect.poll(() => focused().getAttribute("role"), poll).toBe("treeitem");
    await page.keyboard.type("u");
    await expect.poll(() => focused().textContent(), poll).toBe("users.ts");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "users.ts", selected: true }).waitFor();
    await page.keyboard.press("F1");
    await page.getByRole("combobox", { name: "Name of a command" }).waitFor();
    await page.keyboard.type("next edit");
    await page.getByRole("option", { name: "Emend: Go to the Next Edit" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("separator", { name: "File tree width" }).focus();
    const widthOf = () => page.getByRole("navigation", { name: "Files" }).evaluate((files) => files.clientWidth);
    const before = await widthOf();
    await page.keyboard.press("ArrowRight");
    await expect.poll(widthOf, poll).toBe(before + 24);
  });

  for (const scheme of ["light", "dark"] as const) {
    test(`the page has no accessibility violations in ${scheme} colours`, async () => {
      const on = await open("src/greet.ts", { scheme });
      const { page } = on;
      await page.getByRole("button", { name: "Keys" }).click();
      await on.checkAccess();
      await on.screenshot(`start-${scheme}`);
      await page.getByRole("button", { name: "Hide keys" }).click();
      await goTo(on, 1, 17);
      await page.keyboard.press("Control+Delete");
      await page.keyboard.type("salute", { delay: 60 });
      await page.getByRole("region", { name: "Next edit" }).getByText("src/users.ts:1").waitFor();
      for (const panel of ["Explain", "Status", "Edit", "Plan"] as const) {
        await on.panel(panel);
        await on.checkAccess();
        await on.screenshot(`${panel.toLowerCase()}-${scheme}`);
      }
    });
  }
});
