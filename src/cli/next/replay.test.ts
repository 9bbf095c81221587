import { mkdtempSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Recorder, type Recording, writeRecording } from "../../next/index.ts";
import { Edit, minimalEdit } from "../../text/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { runAtTerminal } from "../fixtures/test-terminal.ts";
import type { ReplayStepReport, ReplaySummary } from "./replay.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "emend-state-")));
});
afterEach(() => removeFolder(folder));

async function replay(recording: Recording, ...args: readonly string[]) {
  writeFileSync(join(folder, "session.edits.json"), writeRecording(recording));
  const environment = { EMEND_STATE_DIR: folder, EMEND_CACHE_DIR: folder, XDG_CONFIG_HOME: folder };
  const run = await runAtTerminal(["replay", "session.edits.json", ...args], { workingFolder: folder, environment });
  expect([run.err, run.exitCode]).toEqual(["", 0]);
  return run.out;
}

async function replayed(recording: Recording, ...args: readonly string[]) {
  return JSON.parse(await replay(recording, "--json", ...args)) as {
    readonly steps: readonly ReplayStepReport[];
    readonly summary: ReplaySummary;
  };
}

/** A session of somebody who edits files, one edit a second. */
class Session {
  now = 0;
  readonly recorder = new Recorder({ now: () => this.now });
  readonly #texts = new Map<string, string>();

  open(path: string, text: string): this {
    this.#texts.set(path, text);
    this.recorder.opened(path, text);
    return this;
  }

  /** Replaces the first `from` of a file. */
  edit(path: string, from: string, to: string): this {
    this.now += 1000;
    const before = this.#texts.get(path)!;
    const after = before.replace(from, () => to);
    this.recorder.changed(path, before, minimalEdit(before, after));
    this.#texts.set(path, after);
    return this;
  }

  /** Types a text letter by letter behind `behind`. */
  type(path: string, behind: string, typed: string): this {
    this.now += 1000;
    const start = this.#texts.get(path)!.indexOf(behind) + behind.length;
    for (const [index, letter] of [...typed].entries()) {
      this.now += 40;
      const before = this.#texts.get(path)!;
      const edit = Edit.insert(start + index, letter);
      this.recorder.changed(path, before, edit);
      this.#texts.set(path, edit.apply(before));
      this.recorder.cursor(path, start + index + 1);
    }
    return this;
  }

  get recording(): Recording {
    return this.recorder.recording;
  }
}

const log = `export function log(message: string): void {
  console.log(message);
}
`;
const main = `import { log } from "./log.ts";

export function start(): void {
  log("start");
}
`;

/** Somebody renames a function, and goes to its uses one after the other. */
const rename = () =>
  new Session()
    .open("src/main.ts", main)
    .open("src/log.ts", log)
    .edit("src/log.ts", "function log", "function write")
    .edit("src/main.ts", "{ log }", "{ write }")
    .edit("src/main.ts", '  log("', '  write("').recording;

test("prints the suggestion after each edit, and whether it agrees with what followed", async () => {
  const output = (await replay(rename())).replaceAll(/\d+ %/g, "N %").replaceAll(/[\d.]+ ms/g, "N ms");
  await expect(output).toMatchFileSnapshot("../fixtures/next/replay-rename.txt");
});

test("prints each answer and the totals as JSON", async () => {
  const { steps, summary } = await replayed(rename());
  expect(steps.map(({ agreement, kind }) => agreement ?? kind)).toEqual(["exact", "exact", "no-suggestion"]);
  expect(steps[0]).toMatchObject({ event: 3, atMs: 1000, requestedAt: { path: "src/log.ts", line: 1 } });
  expect(summary).toMatchObject({
    edits: 3,
    requests: 3,
    all: { suggested: 2, exact: 2 },
    byOrigin: { name: { exact: 2 } },
  });
});

test("suggests nothing of other origins, and --explain prints the reason", async () => {
  const out = await replay(rename(), "--origins", "model", "--explain");
  expect(out).toContain("Nothing: ");
  expect(out).toContain("3 requests: nothing suggested.");
});

test("requests a suggestion at the end of typing", async () => {
  const session = new Session().open("a.ts", "const a = 1;\n\n").type("a.ts", "1;\n", "const b = 2;");
  const { steps, summary } = await replayed(session.recording);
  expect(steps.map(({ requestedAt }) => requestedAt)).toEqual([{ path: "a.ts", line: 2, column: 13 }]);
  expect(summary).toMatchObject({ edits: 12, requests: 1 });
});

test("replays rejections, and does not suggest them again", async () => {
  const first = await replayed(rename());
  expect(first.steps[0]!.suggestion?.path).toBe("src/main.ts");
  const session = new Session().open("src/main.ts", main).open("src/log.ts", log);
  session.edit("src/log.ts", "function log", "function write");
  const start = main.indexOf("log }");
  session.recorder.shown({
    ...{ id: "then", path: "src/main.ts", text: main, place: { start, end: start + 3 }, origin: "name", reason: "" },
    ...{ edit: Edit.replace({ start, end: start + 3 }, "write"), isReused: false, others: [] },
  });
  session.recorder.rejected("then");
  session.now += 60_000;
  session.edit("src/log.ts", "console.log(message)", "console.log(message.trim())");
  const { steps } = await replayed(session.recording);
  expect(steps[0]!.suggestion?.diff).toContain("+import { write }");
  expect(steps[1]!.suggestion?.diff ?? "").not.toContain("+import { write }");
});

test("replays created, deleted, moved and replaced files, and removes its folder", async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("emend-replay-")).length;
  const session = new Session().open("src/main.ts", main).open("src/log.ts", log);
  const { recorder } = session;
  recorder.opened("src/new.ts", "export const a = 1;\n", { isNew: true });
  recorder.closed("src/log.ts");
  recorder.renamed("src/log.ts", "src/logging.ts");
  recorder.replaced();
  recorder.replaced("src/main.ts", main.replace("log.ts", "logging.ts"));
  recorder.changed("src/main.ts", main.replace("log.ts", "logging.ts"), Edit.insert(0, "// The start.\n"));
  recorder.removed("src/new.ts");
  recorder.changed("src/logging.ts", log, Edit.insert(0, "// Logs.\n"));
  const { steps } = await replayed(recorder.recording);
  expect(steps.map(({ requestedAt, kind }) => [requestedAt.path, kind])).toEqual([
    ["src/main.ts", "no-suggestion"],
    ["src/logging.ts", "no-suggestion"],
  ]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("emend-replay-")).length).toBeLessThanOrEqual(before);
});
