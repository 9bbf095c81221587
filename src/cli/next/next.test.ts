import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serveChatBy } from "../../model/node/fixtures/scripted-chat-server.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import type { GitRepository } from "../fixtures/git-repository.ts";
import { openNextShop, renamedLog, templatedPrice } from "../fixtures/next-shop.ts";
import type { CliRun } from "../fixtures/run-cli.ts";
import { runAtTerminal, type TestTerminalOptions } from "../fixtures/test-terminal.ts";
import { type NextReport, printRestOfChain } from "./print-next.ts";

let shop: GitRepository;
let state: string;
beforeEach(() => {
  shop = openNextShop();
  state = realpathSync(mkdtempSync(join(tmpdir(), "emend-state-")));
});
afterEach(() => {
  shop.remove();
  removeFolder(state);
});

function emend(args: readonly string[], options: Partial<TestTerminalOptions> = {}): Promise<CliRun> {
  const environment = { EMEND_STATE_DIR: state, EMEND_CACHE_DIR: state, XDG_CONFIG_HOME: state };
  return runAtTerminal(args, { workingFolder: shop.folder, environment, ...options });
}

async function report(...args: readonly string[]): Promise<NextReport> {
  const { out, err, exitCode } = await emend(["next", "--json", ...args]);
  expect([err, exitCode]).toEqual(["", 0]);
  return JSON.parse(out) as NextReport;
}

/**
 * A run as a transcript, without what differs from machine to machine and from one way of reckoning
 * likelihoods to the next.
 */
function transcript(args: readonly string[], { exitCode, out, err }: CliRun): string {
  const plain = (text: string) =>
    text
      .replaceAll(shop.folder, "SHOP")
      .replaceAll(state, "STATE")
      .replaceAll(/ +\d+\.\d ms/g, "  N ms")
      .replaceAll(/\d+ %/g, "N %");
  return `$ emend ${args.join(" ")}\n${plain(out)}${plain(err)}(exit ${exitCode})\n`;
}

/** The first line of the shop's file that begins with a mark, as it comes in. */
const importsWrite = "+\uFEFFimport { write }";

const text = (path: string) => readFileSync(join(shop.folder, path), "utf8");

describe("suggestions", () => {
  test("suggests the import first after a rename, with the reason, as a diff that git applies", async () => {
    shop.write({ "src/log.ts": renamedLog });
    const args = ["next"];
    const run = await emend(args);
    await expect(transcript(args, run)).toMatchFileSnapshot("../fixtures/next/rename.txt");
    writeFileSync(join(state, "next.txt"), run.out);
    shop.git("apply", join(state, "next.txt"));
    expect(text("src/cart.ts") + text("src/price.ts")).toContain('import { write } from "./log.ts"');
  });

  test("prints further places with --all, and the trace and filtered suggestions with --explain", async () => {
    shop.write({ "src/price.ts": templatedPrice });
    const args = ["next", "src/price.ts:9"];
    await expect(transcript(args, await emend(args))).toMatchFileSnapshot("../fixtures/next/like-your-last-edits.txt");
    shop.write({ "src/log.ts": renamedLog });
    const { out } = await emend(["next", "src/log.ts", "--all"]);
    expect(out).toMatch(/\nFurther places:\n(?: {2}src\/\S+:\d+:\d+, .+ \(\w+\)\n {4}.+\n)+$/);
    const explained = await emend(["next", "--explain"]);
    expect(explained.out).toMatch(/gate +\d/);
    expect(explained.out).toContain("3 recent edits, requested at src/");
  });

  test("with --all, places that have an error come first, with the whole message and no percentage", async () => {
    const type = `{ ${Array.from({ length: 8 }, (_, at) => `property${at}: number`).join("; ")} }`;
    shop.write({ "src/log.ts": text("src/log.ts").replace("message: string", `message: ${type}`) });
    const { out } = await emend(["next", "--all"]);
    const place = (at: string) =>
      `src/${at} has an error now: Argument of type 'string' is not assignable to parameter`;
    const whole = (line: string) => line.replace(/ of type '\{ property0: .+; property7: number; \}' \(fix\)$/, "");
    expect(out.split("\n").flatMap((line) => (line.includes("src/") ? whole(line) : []))).toEqual([
      place("cart.ts:5:7"),
      ...["price.ts:4:7", "price.ts:9:7", "price.ts:14:7"].map((at) => `  ${place(at)}`),
    ]);
    shop.write({ "src/log.ts": renamedLog });
    const { suggestion, others = [] } = await report("src/log.ts:1:22", "--all");
    const places = [suggestion!, ...others].map(({ path, line, error, isCertain, likelihood }) => {
      return `${path}:${line} ${isCertain} ${likelihood} ${error}`;
    });
    const lost = "true undefined Module '\"./log.ts\"' has no exported member 'log'.";
    expect(places).toEqual([
      ...["src/cart.ts:1", "src/cart.ts:5"].map((place) => `${place} ${lost}`),
      ...[1, 4, 9, 14].map((line) => `src/price.ts:${line} ${lost}`),
      expect.stringMatching(/^src\/log\.ts:2 undefined 0\.\d+ undefined$/),
    ]);
  });

  test("with --all, an edit after which an error is left is not certain", async () => {
    shop.write({ "src/log.ts": renamedLog.replace("message: string", "message: string, level: number") });
    const { suggestion, others = [] } = await report("src/log.ts:1:22", "--all");
    const calls = [suggestion!, ...others].filter(
      ({ diff, error }) => error !== undefined && diff?.includes("+  write("),
    );
    expect(calls.map(({ path, line }) => `${path}:${line}`)).toEqual([
      ...["src/cart.ts:5", "src/price.ts:4", "src/price.ts:9", "src/price.ts:14"],
    ]);
    for (const { isCertain, likelihood } of calls)
      expect([isCertain, likelihood]).toEqual([undefined, expect.any(Number)]);
  });

  test("suggests the uses of a renamed function of Python", async () => {
    shop.commit({
      "stock.py": "def count(items):\n    return len(items)\n\n\ndef show(items):\n    print(count(items))\n",
    });
    shop.write({ "stock.py": text("stock.py").replace("def count", "def amount") });
    const { suggestion } = await report();
    expect(suggestion).toMatchObject({ origin: "name", path: "stock.py", line: 6 });
    expect(suggestion?.diff).toContain("+    print(amount(items))");
  });

  test("prints the reason when there is no next edit", async () => {
    shop.write({ "src/price.ts": text("src/price.ts").replace("0.9", "0.95") });
    const args = ["next"];
    await expect(transcript(args, await emend(args))).toMatchFileSnapshot("../fixtures/next/nothing.txt");
    expect(await report()).toMatchObject({
      kind: "no-suggestion",
      reason: { kind: "nothing-follows" },
      historyEdits: 1,
    });
  });

  test("prints place, reason and diff as JSON", async () => {
    shop.write({ "src/log.ts": renamedLog });
    const { suggestion, ...rest } = await report("src/log.ts:1:22", "--explain", "--all");
    expect(rest).toMatchObject({
      kind: "offered",
      requestedAt: { path: "src/log.ts", line: 1, column: 22 },
      historyEdits: 1,
    });
    expect(suggestion).toMatchObject({ origin: "name", line: 1, diff: expect.stringContaining(importsWrite) });
    expect(rest.trace?.map(({ step }) => step)).toContain("sources");
    expect(rest.others?.length).toBeGreaterThan(2);
  });

  test("reads the history from an applied diff, regardless of git", async () => {
    shop.write({ "src/log.ts": renamedLog });
    const diff = shop.git("diff");
    shop.commit({});
    expect((await emend(["next"])).out).toContain("Nothing was edited since the last commit.");
    const { out } = await emend(["next", "--history", "-"], { input: diff });
    expect(out).toContain(importsWrite);
    writeFileSync(join(state, "last.diff"), diff);
    expect((await report("--history", join(state, "last.diff"))).suggestion?.reason).toContain("write");
  });

  test("orders edits by the times of their files, and within a file from the top", async () => {
    shop.write({ "src/price.ts": templatedPrice });
    await new Promise((resume) => setTimeout(resume, 20));
    shop.write({ "src/log.ts": renamedLog });
    expect((await report()).requestedAt.path).toBe("src/log.ts");
    expect(await report("src/price.ts")).toMatchObject({
      requestedAt: { path: "src/price.ts", line: 9 },
      historyEdits: 3,
    });
  });
});

describe("a history for emend next", () => {
  test("without an edit is reported beside a mistake in the configuration", async () => {
    shop.commit({ "emend.config.json": '{ "modle": "builtin" }\n' });
    const { reason, notes } = await report();
    expect(reason?.message).toMatch(/^Nothing was edited since the last commit\./);
    expect(notes).toEqual([expect.stringContaining("modle")]);
  });

  test("without a usable edit is not reported as without edits", async () => {
    shop.write({ ".env": "TOKEN=2\n" });
    const leftOut = ".env changed, and is left out: secret by its name: .env.";
    const other = "Nothing else was edited since the last commit.";
    const { out, err, exitCode } = await emend(["next"]);
    expect([err, out.split(" Edit something")[0], exitCode]).toEqual([`${leftOut}\n`, other, 0]);
    const { kind, reason, notes } = await report();
    expect([kind, reason?.kind, reason?.message, notes]).toEqual([
      "no-suggestion",
      "no-history",
      expect.stringContaining(other),
      [leftOut],
    ]);
    expect((await emend(["next", "--history", "-"], { input: "" })).out).toContain(
      "Nothing is edited by the diff of --history.",
    );
  });

  test("leaves out and reports deleted, moved, binary and secret files, and takes new files as inserted", async () => {
    shop.git("mv", "src/cart.ts", "src/basket.ts");
    shop.write({ "tsconfig.json": undefined });
    shop.write({
      ".env": "TOKEN=2\n",
      "logo.png": new Uint8Array([0x89, 0x50, 0]),
      "src/fresh.ts": "export const a = 1;\n",
    });
    shop.write({ "src/log.ts": renamedLog, "session.edits.json": "{}" });
    const { notes, historyEdits, kind } = await report();
    expect([...notes].sort()).toEqual([
      ".env changed, and is left out: secret by its name: .env.",
      "logo.png changed, and is left out: binary by its name: .png.",
      "tsconfig.json is deleted, and deletions are not followed.",
    ]);
    expect([historyEdits, kind]).toEqual([2, "offered"]);
  });

  test("with a moved file suggests its importers, also without other edits", async () => {
    const importsMoved = '+\uFEFFimport { log } from "./lib/log.ts";';
    shop.write({ "src/lib/.gitkeep": "" });
    shop.git("mv", "src/log.ts", "src/lib/log.ts");
    const moved = await report();
    expect([moved.requestedAt.path, moved.historyEdits, moved.suggestion?.reason]).toEqual([
      ...["src/lib/log.ts", 0, "moved to src/lib/log.ts"],
    ]);
    expect(moved.suggestion?.diff).toContain(importsMoved);
    shop.write({ "src/lib/log.ts": `${text("src/lib/log.ts")}export const more = 1;\n` });
    const edited = await report();
    expect([edited.historyEdits, edited.suggestion?.diff]).toEqual([1, expect.stringContaining(importsMoved)]);
    shop.git("add", ".");
    const withHistory = await report("--history", diffFile(shop.git("diff", "HEAD", "-M")));
    expect([withHistory.historyEdits, withHistory.suggestion?.diff]).toEqual([
      1,
      expect.stringContaining(importsMoved),
    ]);
  });

  test("of a diff with the same file twice is undone from its end", async () => {
    const first = diffOf(text("src/price.ts").replace('"net " + price', "`net $" + "{price}`"));
    const second = diffOf(templatedPrice);
    expect(second).toContain("gross");
    const { historyEdits, suggestion } = await report("--history", diffFile(first + second));
    expect(historyEdits).toBe(2);
    expect(suggestion?.diff).toContain("+  log(`rebate $" + "{price}`);");
  });

  /** What a file of prices differs from the last commit by, which it is committed with. */
  function diffOf(price: string): string {
    shop.write({ "src/price.ts": price });
    const diff = shop.git("diff");
    shop.commit({});
    return diff;
  }

  function diffFile(diff: string): string {
    writeFileSync(join(state, "last.diff"), diff);
    return join(state, "last.diff");
  }

  test("is empty outside of a repository, and before its first commit", async () => {
    writeFileSync(join(state, "a.ts"), "a();\n");
    const outside = await emend(["next", "a.ts:1"], { workingFolder: state });
    expect(outside.err).toContain(
      "is not in a git repository. Go to one, name one with --workspace, or give a change with --history FILE.",
    );
    shop.git("update-ref", "-d", "HEAD");
    expect((await emend(["next"])).err).toContain("give a change with --history FILE");
  });
});

describe("a model for next edits", () => {
  /** A chat model that replaces a text in the lines that it may rewrite. */
  async function serveReplacing(from: string, to: string) {
    const server = await serveChatBy("openai", ({ body }) => {
      // First it is requestedAt what it is.
      if (body["messages"] === undefined) return { status: 404, body: "{}" };
      const [, { content }] = body["messages"] as readonly [unknown, { readonly content: string }];
      const lines = /<\|rewrite\|>\n([\s\S]*?)<\|\/rewrite\|>/.exec(content)![1]!.replace("<|cursor|>", "");
      return { deltas: [`\`\`\`ts\n${lines.replace(from, () => to)}\`\`\`\n`] };
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    return { ...server, model: `openai-compatible:${server.url}#scripted` };
  }

  test("is requested with the edits where no other provider suggests anything, and its edit has its name", async () => {
    const { model, calls } = await serveReplacing('"rebate "', '"rebate of 5 % "');
    shop.write({ "src/price.ts": text("src/price.ts").replace("0.9", "0.95") });
    const { suggestion, kind } = await report("--model", model, "--format", "chat");
    expect(kind).toBe("offered");
    expect(suggestion).toMatchObject({
      origin: "model",
      model: expect.stringContaining("#scripted"),
      path: "src/price.ts",
      line: 14,
    });
    expect(suggestion?.diff).toContain('+  log("rebate of 5 % " + price);');
    expect(JSON.stringify(calls.at(-1)?.body)).toContain("+  return price * 0.95;");
  });

  test("gets the edited places of other files", async () => {
    const { model, calls } = await serveReplacing('"rebate "', '"rebate of 5 % "');
    const rows = Array.from({ length: 600 }, (_, line) => `row ${line}\n`);
    shop.commit({ "notes.txt": rows.join("") });
    shop.write({ "notes.txt": rows.with(500, "row of another kind\n").join("") });
    shop.write({ "src/price.ts": text("src/price.ts").replace("0.9", "0.95") });
    await report("src/price.ts", "--model", model, "--format", "chat");
    const prompt = JSON.stringify(calls.at(-1)?.body);
    expect(prompt).toMatch(/notes\.txt.*row 499\\nrow of another kind\\nrow 501/);
    expect(prompt).not.toMatch(/row 100\\n/);
  });

  test("is not requested where another provider suggests an edit", async () => {
    const { model, calls } = await serveReplacing("a", "b");
    shop.write({ "src/log.ts": renamedLog });
    expect((await report("--model", model)).suggestion?.origin).toBe("name");
    expect(calls.filter(({ body }) => body["messages"] !== undefined)).toEqual([]);
  });

  test("that is missing is skipped, and the next one is named", async () => {
    const { model } = await serveReplacing('"rebate "', '"rebate of 5 % "');
    shop.write({ "src/price.ts": text("src/price.ts").replace("0.9", "0.95") });
    const away = "openai-compatible:http://127.0.0.1:1/v1#none";
    const { suggestion } = await report("--model", `${away},${model}`, "--format", "chat");
    expect(suggestion).toMatchObject({ origin: "model", model: expect.stringContaining("#scripted") });
  });

  test("that is unreachable is reported", async () => {
    shop.write({ "src/price.ts": text("src/price.ts").replace("0.9", "0.95") });
    const { out, exitCode } = await emend(["next", "--model", "openai-compatible:http://127.0.0.1:1/v1#none"]);
    expect(out).toMatch(/^Nothing: The model failed \(\S+\): \S/);
    expect(exitCode).toBe(1);
  });
});

describe("a next edit is written", () => {
  test("with --apply, and undone byte for byte", async () => {
    shop.write({ "src/log.ts": renamedLog });
    const before = [text("src/cart.ts"), text("src/price.ts")];
    const { out, err, exitCode } = await emend(["next", "--apply"]);
    expect(exitCode).toBe(0);
    expect(out).toContain(importsWrite);
    expect(err).toMatch(/^Written: src\/\w+\.ts\. `emend undo` undoes it\.\n$/);
    expect([text("src/cart.ts"), text("src/price.ts")]).not.toEqual(before);
    expect((await emend(["undo"])).out).toMatch(/^Undone: .* \(the next edit, renamed to write/);
    expect([text("src/cart.ts"), text("src/price.ts")]).toEqual(before);
  });

  test("with --chain in all files at once, also after a byte order mark", async () => {
    shop.write({ "src/log.ts": renamedLog });
    const shown = await emend(["next", "--chain"]);
    expect(shown.out).toContain("together in");
    expect(text("src/cart.ts")).toContain("log(");
    const result = JSON.parse((await emend(["next", "--chain", "--apply", "--json"])).out) as Record<string, unknown>;
    expect(result).toMatchObject({ isWritten: true, undoId: 1 });
    expect(text("src/cart.ts")).toMatch(/^\uFEFFimport \{ write \}/);
    expect(text("src/cart.ts") + text("src/price.ts")).not.toMatch(/\blog\(/);
  });

  test("with --chain in all of 33 files, more than are searched while a person types", async () => {
    const paths = Array.from({ length: 33 }, (_, index) => `src/job${index + 1}.ts`);
    const job = (path: string) =>
      `import { log } from "./${path.slice(4, -3)}-log";\n\nexport function run(user: string) {\n  log.debug("start", user);\n}\n`;
    shop.commit(Object.fromEntries(paths.map((path) => [path, job(path)])));
    const edited = (path: string) => job(path).replace('log.debug("start", user)', 'log.info({ user }, "start")');
    shop.write(Object.fromEntries(paths.slice(0, 2).map((path) => [path, edited(path)])));
    const { exitCode } = await emend(["next", "--chain", "--apply"]);
    expect(exitCode).toBe(0);
    expect(paths.filter((path) => text(path) !== edited(path))).toEqual([]);
  });
});

describe("emend next --chain with more places than one edit has", () => {
  test.each([
    [0, false, true, undefined],
    [1, false, true, "1 place of this change is left. Run `emend next --chain --apply` again."],
    [2, false, false, "2 places of this change are left. Apply these, and run `emend next --chain` again."],
    [
      0,
      true,
      true,
      "Places may be left: the type checker took longer than `next.typesMs`. Run `emend next --chain --apply` again.",
    ],
  ])("%i left, late: %s, applied: %s", (left, isLate, apply, sentence) => {
    expect(printRestOfChain({ files: new Map(), left, isLate }, apply)).toBe(sentence);
  });

  test("prints how many places are left, and the same command applies the rest", { timeout: 120_000 }, async () => {
    // Uses in lines near each other would be one place.
    const use = (index: number) => `export function box${index}() {\n  ship(${index});\n  return ${index};\n}\n`;
    const uses = Array.from({ length: 30 }, (_, index) => use(index)).join("");
    const paths = Array.from({ length: 40 }, (_, index) => `src/ship${index + 10}.ts`);
    const own = "export function ship(count: number): number {\n  return count * 2;\n}\n";
    const user = `import { ship } from "./ship.ts";\n\n${uses}`;
    shop.commit({ "src/ship.ts": own, ...Object.fromEntries(paths.map((path) => [path, user])) });
    shop.write({ "src/ship.ts": own.replace("ship(", "send(") });
    const first = await emend(["next", "--chain", "--apply"]);
    const left = () => paths.filter((path) => text(path).includes("ship("));
    expect(first.err).toMatch(/\n217 places of this change are left\. Run `emend next --chain --apply` again\.\n$/);
    expect(left()).toHaveLength(7);
    const second = await emend(["next", "--chain", "--apply"]);
    expect(second.err).toMatch(/^Written: .*\n$/);
    expect(left()).toEqual([]);
  });
});

describe("failures of emend next", () => {
  const cases: readonly (readonly [name: string, args: readonly string[], prepare?: () => string | undefined])[] = [
    ["no such file", ["next", "src/none.ts:1:1"]],
    ["a line outside", ["next", "src/log.ts:40"]],
    ["a column outside", ["next", "src/log.ts:3:9"]],
    ["a line 0", ["next", "src/log.ts:0"]],
    ["a column 0", ["next", "src/log.ts:1:0"]],
    ["no place", ["next", ":"]],
    ["a folder", ["next", "src"]],
    ["a secret file", ["next", ".env:1:1"]],
    ["a file that is no text", ["next", "logo.png:1:1"]],
    ["a folder that does not hold the file", ["next", "package.json:1:1", "--workspace", "src"]],
    ["a history that is not there", ["next", "--history", "none.diff"]],
    ["a history that is no diff", ["next", "--history", "src/log.ts"]],
    [
      "a history that is cut short",
      ["next", "--history", "-"],
      () => diffOf({ "src/log.ts": renamedLog }).split("\n").slice(0, -3).join("\n"),
    ],
    [
      "a history that is not made yet",
      ["next", "--history", "-"],
      () => {
        const diff = diffOf({ "src/log.ts": renamedLog });
        shop.git("checkout", "--", ".");
        return diff;
      },
    ],
    [
      "a history of other lines",
      ["next", "--history", "-"],
      () => diffOf({ "src/log.ts": renamedLog }).replaceAll("function write", "function print"),
    ],
    [
      "a history of a file that is not there",
      ["next", "--history", "-"],
      () => diffOf({ "src/log.ts": renamedLog }).replaceAll("src/log.ts", "src/none.ts"),
    ],
    ["watching a place", ["next", "src/log.ts:1:1", "--watch"]],
    ["watching a history", ["next", "--watch", "--history", "git"]],
    ["watching to write", ["next", "--watch", "--apply"]],
    ["a chain and other places", ["next", "--chain", "--all"]],
    ["a model that is none", ["next", "--model", "nobody:x"]],
    ["an eagerness that is none", ["next", "--eagerness", "wild"]],
    [
      "a recording that is there",
      ["record", "--out", "package.edits.json"],
      () => {
        shop.write({ "package.edits.json": "{}" });
        return undefined;
      },
    ],
    ["a recording of another name", ["record", "--out", "a.json"]],
    ["a recording in no folder", ["record", "--out", "none/a.edits.json"]],
    ["what is recorded and what is written", ["record", "a.edits.json"]],
    ["a recording of a secret file", ["record", ".env"]],
    ["a recording that is not there", ["replay", "none.edits.json"]],
    ["a recording that is none", ["replay", "package.json"]],
    ["a recording that is no text", ["replay", "logo.png"]],
    [
      "a recording that breaks",
      ["replay", "-"],
      () =>
        '{ "format": "emend-edits", "version": 1, "events": [\n  { "atMs": 0, "kind": "closed", "path": "a.ts" }\n] }',
    ],
    ["origins that are none", ["replay", "package.json", "--origins", "example,oracle"]],
  ];

  /** A change of the shop as a diff; the change stays. */
  function diffOf(files: Readonly<Record<string, string>>): string {
    shop.write(files);
    return shop.git("diff");
  }

  test("are reported with what to do instead", async () => {
    const transcripts: string[] = [];
    for (const [name, args, prepare] of cases) {
      const input = prepare?.();
      const run = await emend(args, input === undefined ? {} : { input });
      expect(run.out, name).toBe("");
      transcripts.push(`${name}\n${transcript(args, run)}`);
      shop.git("checkout", "--", ".");
      shop.git("clean", "-fdq");
    }
    await expect(transcripts.join("\n")).toMatchFileSnapshot("../fixtures/next/bad-input.txt");
  });
});
