import { Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { type ClientWatchMessage, type ClientWatchOptions, type ClientWatchOrder, isAlive } from "./client-watch.ts";

// Runs in a thread of its own, so that it keeps running when the server's thread is blocked. It
// ends with the process.

const { readsInput, watchesParent } = workerData as ClientWatchOptions;
const port = parentPort!;
const post = (message: ClientWatchMessage) => port.postMessage(message);

/** Milliseconds between checks that the client's process is running. */
const pollMs = 1_000;
/** Milliseconds that the server has to answer that it is `ending`, and then to end. */
const replyMs = 2_000;
const endMs = 10_000;
/** The most bytes that may wait for the server; with more, input is paused. */
const maxWaitingBytes = 16 * 2 ** 20;

const parentId = process.ppid;
let clientId: number | undefined;
let isGone = false;
let waitingBytes = 0;

port.on("message", (order: ClientWatchOrder) => {
  if (order.kind === "client") clientId = order.processId;
  else if (order.kind === "taken") {
    waitingBytes -= order.bytes;
    if (waitingBytes <= maxWaitingBytes) input?.resume();
  } else {
    clearTimeout(ending);
    ending = setTimeout(kill, endMs);
  }
});

let ending: NodeJS.Timeout | undefined;
const polling = setInterval(() => {
  if (clientId !== undefined ? !isAlive(clientId) : watchesParent && process.ppid !== parentId) reportGone();
}, pollMs);

const input = readsInput ? new Socket({ fd: 0, readable: true, writable: false }) : undefined;
input?.on("data", (bytes: Buffer) => {
  waitingBytes += bytes.length;
  if (waitingBytes > maxWaitingBytes) input.pause();
  post({ kind: "data", bytes });
});
input?.on("error", () => undefined);
input?.on("close", () => {
  post({ kind: "end" });
  reportGone();
});

/**
 * Notifies the server that the client is gone, and kills the process if the server does not answer
 * in time.
 */
function reportGone(): void {
  if (isGone) return;
  isGone = true;
  clearInterval(polling);
  post({ kind: "gone" });
  ending = setTimeout(kill, replyMs);
}

function kill(): void {
  process.kill(process.pid, "SIGKILL");
}
