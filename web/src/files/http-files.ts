import type { PagePaths } from "../../../src/server/protocol/page-files.ts";
import { startAgain } from "../link/wire.ts";
import type { FileEntry, WorkspaceFiles } from "../page-services.ts";

/** The workspace of the server. */
export interface WorkspaceFacts {
  readonly root: string;
  readonly rootUri: string;
  readonly name: string;
  readonly version: string;
}

/** A file on disk; `hash` identifies its content. */
export interface FileOnDisk {
  readonly text: string;
  readonly hash: string;
}

/** An error response of the server, with a message for people. */
export class FileError extends Error {
  override readonly name = "FileError";
  /**
   * The HTTP status: 403, 404, 412 for a file that has changed since, 413 for a file that is too
   * large, 415 for a file that is not text.
   */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The files of the workspace over HTTP, at URLs relative to the page. */
export class HttpFiles implements WorkspaceFiles {
  readonly facts: WorkspaceFacts;

  constructor(facts: WorkspaceFacts) {
    this.facts = facts;
  }

  static async open(): Promise<HttpFiles> {
    return new HttpFiles((await (await ask("./api/workspace")).json()) as WorkspaceFacts);
  }

  get rootUri(): string {
    return this.facts.rootUri;
  }

  async list(folder: string): Promise<readonly FileEntry[]> {
    const answer = await ask(`./api/files?folder=${encodeURIComponent(folder)}`);
    return ((await answer.json()) as { readonly entries: readonly FileEntry[] }).entries;
  }

  async paths(): Promise<readonly string[]> {
    return ((await (await ask("./api/paths")).json()) as PagePaths).paths;
  }

  uriOf(path: string): string {
    const encoded = path.split("/").map((part) => encodeURIComponent(part));
    return [this.rootUri.replace(/\/$/, ""), ...encoded].join("/");
  }

  tryPathOf(uri: string): string | undefined {
    const root = decodeURIComponent(this.rootUri.replace(/\/$/, ""));
    const plain = decodeURIComponent(uri);
    return plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : undefined;
  }

  async read(path: string): Promise<FileOnDisk> {
    return (await (await ask(addressOf(path))).json()) as FileOnDisk;
  }

  /**
   * Replaces the content identified by `hash`, or creates a file without it. Rejects with status
   * 412 if the file has other content. Resolves to the new hash.
   */
  async write(path: string, text: string, hash: string | undefined): Promise<string> {
    const headers: Record<string, string> = hash === undefined ? { "If-None-Match": "*" } : { "If-Match": hash };
    const answer = await ask(addressOf(path), { method: "PUT", body: text, headers });
    return ((await answer.json()) as { readonly hash: string }).hash;
  }

  async remove(path: string, hash: string): Promise<void> {
    await ask(addressOf(path), { method: "DELETE", headers: { "If-Match": hash } });
  }

  /** Calls back with the paths of files that changed on disk. */
  follow(take: (paths: readonly string[]) => void): void {
    const source = new EventSource(new URL("./api/changes", document.baseURI));
    source.onmessage = ({ data }) => take((JSON.parse(data) as { readonly paths: readonly string[] }).paths);
  }
}

function addressOf(path: string): string {
  return `./api/file?path=${encodeURIComponent(path)}`;
}

async function ask(address: string, request?: RequestInit): Promise<Response> {
  const answer = await fetch(new URL(address, document.baseURI), request).catch((cause: unknown) => {
    throw new Error(`The server does not respond. ${startAgain}`, { cause });
  });
  if (answer.ok) return answer;
  const body = (await answer.json().catch(() => undefined)) as { readonly message?: string } | undefined;
  throw new FileError(
    body?.message ?? `The server responded with ${answer.status} ${answer.statusText}.`,
    answer.status,
  );
}
