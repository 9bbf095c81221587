import type { FileEntry, WorkspaceFiles } from "../page-services.ts";

/** The workspace that the server serves. */
export interface WorkspaceFacts {
  readonly root: string;
  readonly rootUri: string;
  readonly name: string;
  readonly version: string;
}

/** A file as it is on the disk; `hash` names this state of it. */
export interface FileOnDisk {
  readonly text: string;
  readonly hash: string;
}

/** Why the server did not do what it was asked. Its message is for people. */
export class FileError extends Error {
  override readonly name = "FileError";
  /**
   * Of HTTP: 403, 404, 412 where it changed meanwhile, 413 where it is too large, 415 where it is
   * not text.
   */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The files of the workspace over HTTP, at addresses relative to the page. */
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
   * Writes over the state that `hash` names, or a new file without; fails with 412 where another
   * state is there.
   */
  async write(path: string, text: string, hash: string | undefined): Promise<string> {
    const headers: Record<string, string> = hash === undefined ? { "If-None-Match": "*" } : { "If-Match": hash };
    const answer = await ask(addressOf(path), { method: "PUT", body: text, headers });
    return ((await answer.json()) as { readonly hash: string }).hash;
  }

  async remove(path: string, hash: string): Promise<void> {
    await ask(addressOf(path), { method: "DELETE", headers: { "If-Match": hash } });
  }

  /** Calls back with the paths that changed on the disk. */
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
    throw new Error("The server does not answer: start `emend serve` again.", { cause });
  });
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => undefined)) as { readonly message?: string } | undefined;
  throw new FileError(said?.message ?? `The server answered ${answer.status} ${answer.statusText}`, answer.status);
}
