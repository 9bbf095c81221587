import type { ServerResponse } from "node:http";
import { type FileRefusal, type FileRefusalKind, printFileRefusal } from "../../edit/node/index.ts";
import type { PageFailure } from "../protocol/page-files.ts";

/** Sends a value as JSON, which is not cached; a `HEAD` request gets only the headers. */
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

/**
 * Sends a text, with a line feed after it, to a client that may not be the page; a `HEAD` request
 * gets only the headers.
 */
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

/** Why a request of the page is not carried out. */
export interface PageRefusal {
  /** The HTTP status. */
  readonly status: number;
  /** A stable name. */
  readonly code: string;
  /** For people, with what they can do. */
  readonly message: string;
}

/**
 * The refusal of a file as an HTTP answer: the status for its kind, its kind as code, and its
 * message.
 */
export function refusalOfFile(refusal: FileRefusal): PageRefusal {
  return { status: statuses[refusal.kind], code: refusal.kind, message: printFileRefusal(refusal) };
}

const statuses: Readonly<Record<FileRefusalKind, number>> = {
  missing: 404,
  folder: 403,
  special: 403,
  outside: 403,
  "broken-link": 403,
  link: 403,
  secret: 403,
  ignored: 403,
  "version-control": 403,
  binary: 415,
  "not-utf-8": 415,
  oversized: 413,
  "no-permission": 403,
  "read-only": 403,
  "no-folder": 403,
  exists: 412,
  "case-collision": 412,
  "same-file": 403,
  "hard-link": 403,
  "half-character": 415,
  "disk-failed": 500,
};

/**
 * The refusal, with status 412, of a save of `path`, because the file has changed since the page
 * read it.
 */
export function changedMeanwhile(path: string): PageRefusal {
  const message = `${path} has changed on the disk since it was opened. Open it again, or compare before you overwrite it.`;
  return { status: 412, code: "changed", message };
}

/** The refusal, with status 507, of a save of `path`, because the disk is full. */
export function diskFull(path: string): PageRefusal {
  const message = `There is no space on the disk for ${path}, and the file is unchanged. Free some, and save again.`;
  return { status: 507, code: "disk-full", message };
}

/** The request contains no precondition. */
export const noPrecondition: PageRefusal = {
  status: 428,
  code: "no-precondition",
  message: "Send If-Match with the hash of the text that is replaced, or If-None-Match: * for a new file.",
};
