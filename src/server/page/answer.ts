import type { ServerResponse } from "node:http";
import type { PageFailure } from "../protocol/page-files.ts";
import type { PageRefusal } from "./page-refusal.ts";

/** Answers with a value. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  sendBytes(response, Buffer.from(JSON.stringify(value)), {
    status,
    type: "application/json; charset=utf-8",
    cache: "no-store",
  });
}

/** Answers why a request is not carried out. */
export function sendRefusal(response: ServerResponse, { status, code, message }: PageRefusal): void {
  sendJson(response, { code, message } satisfies PageFailure, status);
}

/** Answers somebody who is not, or not known to be, the page. */
export function sendText(response: ServerResponse, status: number, message: string): void {
  const type = "text/plain; charset=utf-8";
  sendBytes(response, Buffer.from(`${message}\n`), { status, type, cache: "no-store" });
}

/** Answers with bytes; a request for the head alone gets none of them. */
export function sendBytes(
  response: ServerResponse,
  bytes: Buffer,
  { status = 200, type, cache }: { readonly status?: number; readonly type: string; readonly cache: string },
): void {
  response.writeHead(status, { "Content-Type": type, "Content-Length": bytes.length, "Cache-Control": cache });
  response.end(response.req.method === "HEAD" ? undefined : bytes);
}
