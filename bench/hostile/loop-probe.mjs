// Loaded with `--import` into a process of Emend that is measured. It tells its parent how much
// processor time the main thread spent
// between two turns of the event loop, wherever that is more than `reportedMs`, and on request how
// much heap is used.
import { openSync, readSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const reportedMs = 40;
const everyMs = 5;

if (isMainThread && process.send !== undefined) {
  // The first number is the time that the thread ran, in nanoseconds, whatever other processes do
  // meanwhile.
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const bytes = Buffer.alloc(100);
  const ranMs = () => Number(bytes.toString("latin1", 0, readSync(file, bytes, 0, 100, 0)).split(" ")[0]) / 1e6;
  let last = ranMs();
  const look = () => {
    const now = ranMs();
    if (now - last > reportedMs && process.connected) process.send({ kind: "stall", cpuMs: now - last });
    last = now;
  };
  setInterval(look, everyMs).unref();
  process.on("exit", look);
  process.on("message", (message) => {
    if (message !== "heap") return;
    globalThis.gc?.();
    process.send({ kind: "heap", bytes: process.memoryUsage().heapUsed });
    last = ranMs();
  });
  process.channel.unref();
}
