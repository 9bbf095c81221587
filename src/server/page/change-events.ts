import type { ServerResponse } from "node:http";
import type { Clock } from "../../async/index.ts";
import type { PageChanges } from "../protocol/page-files.ts";
import { type PageRefusal, sendRefusal } from "./answer.ts";
import type { DiskChanges } from "./disk-changes.ts";

/**
 * The milliseconds between two comment lines that keep a connection open and find the closed ones.
 */
const keepAliveMs = 15_000;

/** The milliseconds after which a page reconnects. */
const retryMs = 1_000;

/**
 * The most pages that listen at once. A browser opens six connections to one server, and listeners
 * occupy theirs: a seventh page could not even read a file. A page without a listener works all the
 * same, and notices changes when it saves.
 */
const maxListeners = 5;

const full: PageRefusal = {
  status: 503,
  code: "too-many-pages",
  message: "Too many pages watch the disk. Close one to let this page watch it.",
};

/**
 * Sends server-sent events, one for each change on the disk, until the page disconnects. A page
 * that does not read them is disconnected, and reconnects. Where five pages listen already, it is
 * refused. Rejects where watching cannot begin.
 *
 * Source: HTML Living Standard, server-sent events.
 */
export async function sendChanges(response: ServerResponse, changes: DiskChanges, clock: Clock): Promise<void> {
  if (changes.listeners >= maxListeners) return sendRefusal(response, full);
  let listening: Disposable | undefined;
  let timer: Disposable | undefined;
  const close = () => {
    listening?.[Symbol.dispose]();
    timer?.[Symbol.dispose]();
  };
  response.once("close", close);
  const send = (text: string) => {
    if (response.destroyed) return;
    response.write(text);
    if (response.writableLength > maxWaitingBytes) response.destroy();
  };
  const keepAlive = () => {
    send(": still here\n\n");
    timer = clock.after(keepAliveMs, keepAlive);
  };
  listening = await changes.listen((paths) => send(`data: ${JSON.stringify({ paths } satisfies PageChanges)}\n\n`));
  if (response.destroyed) return close();
  // From the headers on, no change is missed.
  response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" });
  send(`retry: ${retryMs}\n\n`);
  timer = clock.after(keepAliveMs, keepAlive);
}

/** The most bytes that wait for a page that does not read. */
const maxWaitingBytes = 1_000_000;
