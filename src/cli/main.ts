#!/usr/bin/env node
import { Interruption, interruptions } from "./interruption.ts";
import { run } from "./program.ts";
import { type Terminal, wantsColour } from "./terminal.ts";

const interruption = new AbortController();
/** Nobody waits any longer for what a command that was told to end puts back; a check is given two seconds of it. */
const lastMs = 8_000;
for (const name of Object.keys(interruptions) as NodeJS.Signals[]) {
  process.on(name, () => {
    const { exitCode } = new Interruption(name);
    if (!interruption.signal.aborted) {
      interruption.abort(new Interruption(name));
      if (name !== "SIGINT") setTimeout(() => process.exit(exitCode), lastMs).unref();
    } else if (name === "SIGINT") {
      // Whoever presses it twice does not want to wait. The other signals come twice by themselves.
      process.exit(exitCode);
    }
  });
}
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A terminal that was closed takes no words, and there may be files to put back.
  if (interruption.signal.aborted || error.code === "EIO") return;
  // Whoever reads our output may have seen enough.
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
    const { askPerson } = await import("./ask-person.ts");
    return askPerson(question, interruption.signal);
  },
  colour: wantsColour(process.env, process.stdout.isTTY === true),
  isShown: process.stdout.isTTY === true,
  isWatched: process.stderr.isTTY === true,
  // As wide as it is at the moment: people pull windows.
  get columns() {
    return process.stderr.columns || 80;
  },
  get rows() {
    return process.stderr.rows || 24;
  },
  workingFolder: process.cwd(),
  environment: process.env,
  signal: interruption.signal,
  now: () => performance.now(),
};

const args = process.argv.slice(2);
let exitCode: number;
try {
  exitCode = await run(args, terminal);
} catch (thrown) {
  const { reportFailure } = await import("./report-failure.ts");
  exitCode = reportFailure(thrown, args.includes("--json"), terminal);
}
// Whatever is still under way, such as reading ahead, is of no use to anyone now.
process.stdout.write("", () => process.exit(exitCode));
