/**
 * The latency of typing on the page of `emend serve`: `npm run bench:page`.
 *
 * Measures the time from a key event to the end of the frame that shows the character, in headless
 * Chromium, in a small file and in a file of 50,000 lines. A frame takes 16.7 ms, so the median
 * contains half a frame in any case.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { browserPath, PageVisit } from "../web/tests/fixtures/page-visit.ts";
import { type Bar, printBars } from "./bar.ts";
import { percentile } from "./percentile.ts";

const { values } = parseArgs({
  options: { keys: { type: "string", default: "300" }, json: { type: "string" } },
});
const keys = Number(values.keys);
if (!(keys >= 50)) {
  console.error(`npm run bench:page -- [options]
  --keys N     number of keys typed in each file; default: 300
  --json FILE  writes all figures`);
  process.exit(2);
}
if (browserPath === undefined) throw new Error("No Chromium is installed; Debian has one as chromium-headless-shell");

/** The pause between two keys of fast typing, in milliseconds. */
const pauseMs = 80;

const functionOf = (index: number) => `/** Adds to ${index}. */
export function add${index}(value: number): number {
  const sum = value + ${index};
  return sum;
}
`;
/** Functions of five lines each. */
const files = {
  "small.ts": Array.from({ length: 20 }, (_, index) => functionOf(index)).join(""),
  "large.ts": Array.from({ length: 10_000 }, (_, index) => functionOf(index)).join(""),
};
const typed =
  "export function total(list: readonly number[]): number { return list.reduce((sum, one) => sum + one, 0); } ";

/** The latencies of one file by the clock of the page, in milliseconds. */
interface Times {
  readonly file: string;
  readonly lines: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** The CPU time of the page's main thread per key. */
  readonly busy: number;
}

const all: Times[] = [];
for (const [file, text] of Object.entries(files)) {
  const visit = await PageVisit.open({ files });
  try {
    await visit.openFile(file);
    const { page } = visit;
    await page.getByRole("button", { name: "Hide keys" }).click();
    const lines = text.split("\n").length - 1;
    await page.locator(".native-edit-context").first().focus();
    await page.keyboard.press("Control+g");
    const field = page.locator(".quick-input-widget input").first();
    await field.waitFor();
    await field.fill(`:${lines / 2 + 1}:1`);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    // Runs in the page: measures from the key event to the end of the next frame.
    await page.evaluate(`
      globalThis.times = [];
      addEventListener("keydown", ({ timeStamp }) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => times.push(performance.now() - timeStamp);
          port2.postMessage(undefined);
        });
      }, true);`);
    const devtools = await page.context().newCDPSession(page);
    // CPU time of the main thread, which other programs on a busy machine do not increase.
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    const busyMs = async () => {
      const { metrics } = await devtools.send("Performance.getMetrics");
      return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
    };
    const before = await busyMs();
    for (let index = 0; index < keys; index += 1) {
      await page.keyboard.press(typed[index % typed.length] === " " ? "Space" : typed[index % typed.length]!);
      await page.waitForTimeout(pauseMs);
    }
    const busy = ((await busyMs()) - before) / keys;
    const times = ((await page.evaluate("times")) as number[]).sort((a, b) => a - b);
    if (times.length < keys) throw new Error(`Only ${times.length} of ${keys} keys were measured`);
    all.push({
      ...{ file, lines, p50: percentile(times, 0.5), p95: percentile(times, 0.95), max: times.at(-1)!, busy },
    });
  } finally {
    await visit[Symbol.asyncDispose]();
  }
}

console.log(
  `${"file".padEnd(10)}${"lines".padStart(8)}${"p50 ms".padStart(9)}${"p95 ms".padStart(9)}${"max ms".padStart(9)}${"busy ms".padStart(9)}`,
);
for (const { file, lines, p50, p95, max, busy } of all) {
  const figures = [p50, p95, max, busy].map((ms) => ms.toFixed(1).padStart(9)).join("");
  console.log(`${file.padEnd(10)}${lines.toLocaleString("en").padStart(8)}${figures}`);
}
const bars: readonly Bar[] = all.map(({ lines, p95 }) => ({
  ...{ name: `p95 with ${lines.toLocaleString("en")} lines, ms`, value: p95, bar: 50, sense: "below" },
}));
console.log(`\n${printBars(bars)}`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ keys, pauseMs, all }, undefined, 2)}\n`);
