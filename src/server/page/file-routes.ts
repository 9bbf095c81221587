import type { IncomingMessage, ServerResponse } from "node:http";
import { SerialQueue } from "../../async/index.ts";
import { systemDisk } from "../../edit/node/index.ts";
import { withoutByteOrderMark } from "../../text/index.ts";
import {
  folderOf,
  nameOf,
  tryRelativePath,
  type WalkRecord,
  WalkRecorder,
  walkWorkspace,
} from "../../workspace/index.ts";
import { disk as codeDisk } from "../../workspace/node/index.ts";
import { toFileUri } from "../file-uri.ts";
import type { PageFileList, PageFileText, PageFileWritten, PagePaths, PageWorkspace } from "../protocol/page-files.ts";
import { noPrecondition, type PageRefusal, refusalOfFile, sendJson, sendRefusal } from "./answer.ts";
import type { DiskChanges } from "./disk-changes.ts";
import { listServedFolder } from "./list-served.ts";
import { maxServedBytes, readServedFile } from "./read-served.ts";
import { type Precondition, removeServedFile, writeServedFile } from "./write-served.ts";

/** The options of {@link FileRoutes}. */
export interface FileRoutesOptions {
  /** The absolute folder, links resolved. */
  readonly root: string;
  /** The version of this package. */
  readonly version: string;
  readonly changes: DiskChanges;
}

/** A request for files. */
interface FileRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

type Handler = (fileRequest: FileRequest) => Promise<void>;

/** Serves a page's requests about the files of the workspace. Writes run one after the other. */
export class FileRoutes implements AsyncDisposable {
  readonly #options: FileRoutesOptions;
  readonly #routes: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
    "api/workspace": { GET: async ({ response }) => sendJson(response, this.#workspace()) },
    "api/paths": { GET: (fileRequest) => this.#paths(fileRequest) },
    "api/files": { GET: (fileRequest) => this.#list(fileRequest) },
    "api/file": {
      GET: (fileRequest) => this.#read(fileRequest),
      PUT: (fileRequest) => this.#write(fileRequest),
      DELETE: (fileRequest) => this.#remove(fileRequest),
    },
  };
  #queue = new SerialQueue();
  /** The folders that the last walk listed; those that have not changed are not listed again. */
  #lastWalk: WalkRecord | undefined;

  constructor(options: FileRoutesOptions) {
    this.#options = options;
  }

  /** The handlers of a route by method; `undefined` where there is no such route. */
  tryRoute(route: string): Readonly<Record<string, Handler>> | undefined {
    return Object.hasOwn(this.#routes, route) ? this.#routes[route] : undefined;
  }

  /** Waits for the write in progress. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.settled();
  }

  #workspace(): PageWorkspace {
    const { root, version } = this.#options;
    return { root, rootUri: toFileUri(root), name: nameOf(root) || root, version };
  }

  async #list({ response, query }: FileRequest): Promise<void> {
    const folder = tryOne(query, "folder");
    if (folder === undefined) return sendRefusal(response, missingParameter("folder"));
    const answer = await listServedFolder(this.#served, folder);
    if (answer.kind === "refused") return sendRefusal(response, refusalOfFile(answer.refusal));
    this.#follow(folder, answer.place.real);
    sendJson(response, { entries: answer.entries } satisfies PageFileList);
  }

  async #paths({ response }: FileRequest): Promise<void> {
    const { root } = this.#options;
    const paths: string[] = [];
    const parts = { fileSystem: codeDisk, root, before: this.#lastWalk, startedAtMs: Date.now() };
    const recorder = new WalkRecorder(parts);
    for await (const item of walkWorkspace(root, { fileSystem: codeDisk, recorder })) {
      // The page has closed.
      if (response.destroyed) return;
      if (item.kind === "file" || item.reason.kind === "unknown-language") paths.push(item.path);
      if (paths.length >= maxPaths) break;
    }
    this.#lastWalk = recorder.record;
    sendJson(response, { paths } satisfies PagePaths);
  }

  async #read({ response, query }: FileRequest): Promise<void> {
    const path = tryOne(query, "path");
    if (path === undefined) return sendRefusal(response, missingParameter("path"));
    const answer = await readServedFile(this.#options.root, path, systemDisk);
    if (answer.kind === "refused") return sendRefusal(response, refusalOfFile(answer.refusal));
    this.#follow(folderOf(path), folderOf(answer.place.entry));
    sendJson(response, { text: withoutByteOrderMark(answer.text), hash: answer.hash } satisfies PageFileText);
  }

  async #write({ request, response, query }: FileRequest): Promise<void> {
    const path = tryOne(query, "path");
    if (path === undefined) return sendRefusal(response, missingParameter("path"));
    const when = tryPrecondition(request);
    if (when === undefined) return sendRefusal(response, noPrecondition);
    const bytes = await readBody(request, maxServedBytes);
    if (bytes === undefined) {
      // A browser reads no answer before it has sent the whole body.
      request.resume();
      return sendRefusal(response, tooLarge(path));
    }
    const answer = await this.#queue.run(() => writeServedFile(this.#served, { path, bytes, when }));
    if (answer.kind === "refused") return sendRefusal(response, answer.refusal);
    sendJson(response, { hash: answer.hash } satisfies PageFileWritten);
  }

  async #remove({ request, response, query }: FileRequest): Promise<void> {
    const path = tryOne(query, "path");
    if (path === undefined) return sendRefusal(response, missingParameter("path"));
    const when = tryPrecondition(request);
    if (when?.kind !== "unchanged") return sendRefusal(response, noPrecondition);
    const answer = await this.#queue.run(() => removeServedFile(this.#served, { path, hash: when.hash }));
    if (answer.kind === "refused") return sendRefusal(response, answer.refusal);
    sendJson(response, {});
  }

  get #served() {
    return { root: this.#options.root, disk: systemDisk };
  }

  #follow(path: string, real: string): void {
    const inside = tryRelativePath(this.#options.root, real);
    if (inside !== undefined) this.#options.changes.follow(path, inside);
  }
}

/** The most paths that a page searches. */
const maxPaths = 50_000;

/** The one value of a parameter; `undefined` where it is missing or given several times. */
function tryOne(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

function missingParameter(name: string): PageRefusal {
  return { status: 400, code: "no-parameter", message: `Give one ${name} in the URL: ?${name}=...` };
}

function tooLarge(path: string): PageRefusal {
  const message = `${path} is too large: more than ${maxServedBytes.toLocaleString("en")} bytes. Split it.`;
  return { status: 413, code: "oversized", message };
}

/**
 * The precondition of a request, from `If-Match` or `If-None-Match`; `undefined` where it is
 * missing or invalid. Source: RFC 9110, sections 13.1.1 and 13.1.2. Quotes may be missing, and only
 * one hash may be given.
 */
function tryPrecondition(request: IncomingMessage): Precondition | undefined {
  const match = request.headers["if-match"];
  const noneMatch = request.headers["if-none-match"];
  if (match === undefined) return noneMatch === "*" ? { kind: "new" } : undefined;
  const hash = /^\s*"?([0-9a-f]{64})"?\s*$/.exec(match)?.[1];
  return hash === undefined || noneMatch !== undefined ? undefined : { kind: "unchanged", hash };
}

/**
 * Reads the body of a request; `undefined` as soon as it is known to exceed `maxBytes`. Rejects
 * when the client disconnects.
 */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
