#!/usr/bin/env node
import { run } from "./program.ts";
import { type Terminal, wantsColour } from "./terminal.ts";

const interruption = new AbortController();
process.on("SIGINT", () => {
  // Whoever presses it twice does not want to wait.
  if (interruption.signal.aborted) process.exit(130);
  interruption.abort(new Error("interrupted"));
});
// Whoever reads our output may have seen enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  async readInput() {
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
  columns: process.stderr.columns || 80,
  rows: process.stderr.rows || 24,
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
