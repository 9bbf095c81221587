import { existsSync, mkdtempSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RecordedTexts, type Recording, readRecording } from "../../next/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import type { GitRepository } from "../fixtures/git-repository.ts";
import { openNextShop, renamedLog, templatedPrice } from "../fixtures/next-shop.ts";
import type { CliRun } from "../fixtures/run-cli.ts";
import { runAtTerminal } from "../fixtures/test-terminal.ts";
import { Interruption } from "../terminal/interruption.ts";

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

/** A command that goes on until it is interrupted, with what it has printed so far. */
class RunningCommand {
  readonly #stop = new AbortController();
  readonly #end: Promise<CliRun>;
  printed = "";

  constructor(args: readonly string[]) {
    const environment = { EMEND_STATE_DIR: state, EMEND_CACHE_DIR: state, XDG_CONFIG_HOME: state };
    const print = (text: string) => {
      this.printed += text;
    };
    this.#end = runAtTerminal(args, {
      workingFolder: shop.folder,
      environment,
      signal: this.#stop.signal,
      onPrint: print,
    });
  }

  /** Waits until `holds` of what is printed; fails after a while. */
  async until(holds: (printed: string) => boolean | Promise<boolean>): Promise<void> {
    for (let round = 0; !(await holds(this.printed)); round += 1) {
      if (round > 400) throw new Error(`It never came. Printed so far:\n${this.printed}`);
      await wait(50);
    }
  }

  interrupt(): Promise<CliRun> {
    this.#stop.abort(new Interruption("SIGINT"));
    return this.#end;
  }
}

const at = (path: string) => join(shop.folder, path);

async function eventsAt(path: string): Promise<Recording["events"]> {
  const reading = await readRecording(readFileSync(path, "utf8"));
  if (reading.kind === "broken") throw new Error(reading.issue.message);
  return reading.recording.events;
}

test("record: records each save until Ctrl-C, and the recording replays to the current files", async () => {
  const out = join(shop.folder, "mine.edits.json");
  const command = new RunningCommand(["record", "--out", "mine.edits.json"]);
  await command.until((printed) => printed.includes("Stop with Ctrl-C."));
  const has = (count: number) => async () =>
    existsSync(out) && (await eventsAt(out)).filter(({ kind }) => kind === "changed").length >= count;
  writeFileSync(at("src/log.ts"), renamedLog);
  await command.until(has(1));
  writeFileSync(at("src/price.ts"), templatedPrice);
  await command.until(has(2));
  writeFileSync(at(".env"), "TOKEN=2\n");
  writeFileSync(at("src/new.ts"), "export const fresh = 1;\n");
  await command.until(async () =>
    (await eventsAt(out)).some((event) => event.kind === "opened" && event.path === "src/new.ts"),
  );
  renameSync(at("src/new.ts"), at("src/newer.ts"));
  await command.until(async () => (await eventsAt(out)).some(({ kind }) => kind === "renamed"));
  const { err, exitCode } = await command.interrupt();
  expect(exitCode).toBe(0);
  expect(err).toContain("2 edits of 2 files recorded in");

  const events = await eventsAt(out);
  const texts = new RecordedTexts();
  for (const event of events) expect(texts.tryTake(event)).toBeUndefined();
  expect([...texts.files.keys()].sort()).toEqual(["src/log.ts", "src/newer.ts", "src/price.ts"]);
  for (const [path, { text }] of texts.files) expect(text).toBe(readFileSync(at(path), "utf8"));
  expect(events.find(({ kind }) => kind === "changed")).toMatchObject({
    edit: { edits: [{ start: 16, end: 19, text: "write" }] },
  });
});

test("record FILE: records that file only", async () => {
  const command = new RunningCommand(["record", "src/log.ts", "--out", join(state, "a.edits.json")]);
  await command.until((printed) => printed.includes("src/log.ts in"));
  writeFileSync(at("src/price.ts"), templatedPrice);
  writeFileSync(at("src/log.ts"), renamedLog);
  await command.until(async () => (await eventsAt(join(state, "a.edits.json"))).some(({ kind }) => kind === "changed"));
  await command.interrupt();
  const paths = (await eventsAt(join(state, "a.edits.json"))).flatMap((event) => ("path" in event ? [event.path] : []));
  expect(new Set(paths)).toEqual(new Set(["src/log.ts"]));
});

test("next --watch: prints the next edit after each save, until Ctrl-C", async () => {
  const command = new RunningCommand(["next", "--watch"]);
  await command.until((printed) => printed.includes("Stop with Ctrl-C."));
  writeFileSync(at("src/log.ts"), renamedLog);
  await command.until((printed) => printed.includes("+\uFEFFimport { write }"));
  const first = command.printed.length;
  writeFileSync(at("src/price.ts"), templatedPrice);
  await command.until((printed) => printed.length > first);
  const { exitCode, out } = await command.interrupt();
  expect(exitCode).toBe(0);
  expect(out).toContain("src/price.ts");
});
