import type { ServerResponse } from "node:http";
import type { Clock } from "../../codebase/index.ts";
import type { PageChanges } from "../protocol/page-files.ts";
import { sendRefusal } from "./answer.ts";
import type { DiskChanges } from "./disk-changes.ts";
import type { PageRefusal } from "./page-refusal.ts";

/** How often a listener is sent a line that says nothing, which finds out those that have gone. */
const stillHereMs = 15_000;

/** After how many milliseconds a page asks again that was cut off. */
const askAgainMs = 1_000;

/**
 * How many may listen at once. A browser opens six connections to one server, and those that listen keep theirs: a seventh page could not
 * even read a file. One that may not listen works all the same, and learns of changes when it saves.
 */
const maxListeners = 5;

const full: PageRefusal = {
  status: 503,
  code: "too-many-pages",
  message: "Too many pages follow the disk. Close one to have this one follow it.",
};

/**
 * Answers with server-sent events, one for each time that something changes on the disk, until the page goes away. A page that does not
 * read them for long is let go, and asks again.
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
  const stillHere = () => {
    send(": still here\n\n");
    timer = clock.after(stillHereMs, stillHere);
  };
  listening = await changes.listen((paths) => send(`data: ${JSON.stringify({ paths } satisfies PageChanges)}\n\n`));
  if (response.destroyed) return close();
  // Whoever has the head misses nothing from now on.
  response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" });
  send(`retry: ${askAgainMs}\n\n`);
  timer = clock.after(stillHereMs, stillHere);
}

/** What may wait for a page that does not read. */
const maxWaitingBytes = 1_000_000;
