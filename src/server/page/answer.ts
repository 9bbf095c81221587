import type { ServerResponse } from "node:http";
import type { PageFailure } from "../protocol/page-files.ts";
import type { PageRefusal } from "./page-refusal.ts";

/** Sends a value as JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  sendBytes(response, Buffer.from(JSON.stringify(value)), {
    status,
    type: "application/json; charset=utf-8",
    cache: "no-store",
  });
}

/** Sends a refusal, as JSON with its status. */
export function sendRefusal(response: ServerResponse, { status, code, message }: PageRefusal): void {
  sendJson(response, { code, message } satisfies PageFailure, status);
}

/** Sends a text to a client that may not be the page. */
export function sendText(response: ServerResponse, status: number, message: string): void {
  const type = "text/plain; charset=utf-8";
  sendBytes(response, Buffer.from(`${message}\n`), { status, type, cache: "no-store" });
}

/** Sends bytes; a `HEAD` request gets only the headers. */
export function sendBytes(
  response: ServerResponse,
  bytes: Buffer,
  { status = 200, type, cache }: { readonly status?: number; readonly type: string; readonly cache: string },
): void {
  response.writeHead(status, { "Content-Type": type, "Content-Length": bytes.length, "Cache-Control": cache });
  response.end(response.req.method === "HEAD" ? undefined : bytes);
}
