#!/usr/bin/env node
import { run } from "./program.ts";
import { Interruption, interruptions } from "./terminal/interruption.ts";
import { type Terminal, wantsColour } from "./terminal/terminal.ts";

const interruption = new AbortController();
/**
 * The milliseconds that a command has to clean up after a signal; a verification command gets two
 * seconds of it.
 */
const cleanUpMs = 8_000;
for (const name of Object.keys(interruptions) as NodeJS.Signals[]) {
  process.on(name, () => {
    const { exitCode } = new Interruption(name);
    if (!interruption.signal.aborted) {
      interruption.abort(new Interruption(name));
      if (name !== "SIGINT") setTimeout(() => process.exit(exitCode), cleanUpMs).unref();
    } else if (name === "SIGINT") {
      // A second Ctrl-C ends at once. The other signals are sometimes sent twice.
      process.exit(exitCode);
    }
  });
}
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A closed terminal accepts no output, and files may have to be restored.
  if (interruption.signal.aborted || error.code === "EIO") return;
  // A language server has a listener of its own, and saves its state before it ends.
  if (process.stdout.listenerCount("error") > 1) return;
  // The reader of the output may have closed it.
  process.exit(error.code === "EPIPE" ? 0 : 1);
});
process.stderr.on("error", () => undefined);

const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  async readInput() {
    interruption.signal.throwIfAborted();
    const chunks: Buffer[] = [];
    interruption.signal.addEventListener("abort", () => process.stdin.destroy(), { once: true });
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
  async ask(question) {
    if (process.stderr.isTTY !== true) return undefined;
    const { askPerson } = await import("./terminal/ask-person.ts");
    return askPerson(question, interruption.signal);
  },
  colour: wantsColour(process.env, process.stdout.isTTY === true),
  isShown: process.stdout.isTTY === true,
  isWatched: process.stderr.isTTY === true,
  // Read each time, since the window may be resized.
  get columns() {
    return process.stderr.columns || 80;
  },
  get rows() {
    return process.stderr.rows || 24;
  },
  workingFolder: process.cwd(),
  environment: { ...process.env },
  hideVariables(names) {
    for (const name of names) delete process.env[name];
  },
  signal: interruption.signal,
  now: () => performance.now(),
};

// Keeps the process alive until the command has ended: it may await something that does not, such
// as an unreferenced timer.
const untilOutcome = setInterval(() => undefined, 2 ** 30);
const args = process.argv.slice(2);
let exitCode: number;
try {
  exitCode = await run(args, terminal);
} catch (thrown) {
  const { reportFailure } = await import("./terminal/failure.ts");
  exitCode = reportFailure(thrown, args.includes("--json"), terminal);
}
clearInterval(untilOutcome);
// Work that is still in progress, such as reading ahead, is not needed any more.
process.stdout.write("", () => process.exit(exitCode));
