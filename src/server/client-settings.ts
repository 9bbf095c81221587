import {
  type ClientCapabilities,
  type ConfigurationParams,
  type Connection,
  DidChangeConfigurationNotification,
} from "vscode-languageserver";
import { toFileUri } from "./file-uri.ts";

/** The section of the editor's settings that is ours. */
const section = "emend";

/**
 * What the editor's own settings say of Emend: asked for where the client lets itself be asked, which may answer
 * differently for each folder, and otherwise as it sends them by itself.
 */
export class ClientSettings {
  readonly #connection: Connection;
  readonly #capabilities: ClientCapabilities["workspace"];
  /** What was sent, where the client cannot be asked. */
  #sent: unknown;

  /** `initial` are the options that the client sent with its first message. */
  constructor(connection: Connection, capabilities: ClientCapabilities, initial: unknown) {
    this.#connection = connection;
    this.#capabilities = capabilities.workspace;
    this.#sent = sectionOf(initial);
  }

  /** What the client has sent so far; the only thing known before it can be asked. */
  get sent(): unknown {
    return this.#sent;
  }

  /** Asks to be told of changes, where the client wants to be asked that. */
  async follow(): Promise<void> {
    if (this.#capabilities?.didChangeConfiguration?.dynamicRegistration !== true) return;
    await this.#connection.client.register(DidChangeConfigurationNotification.type, { section });
  }

  /** Takes up what a client sends by itself; it may hold the whole of its settings, or nothing. */
  take(settings: unknown): void {
    this.#sent = sectionOf(settings) ?? this.#sent;
  }

  /** The settings for the folder at the absolute path `root`, or for files that lie in none. */
  async read(root: string | undefined): Promise<unknown> {
    if (this.#capabilities?.configuration !== true) return this.#sent;
    const scope = root === undefined ? {} : { scopeUri: toFileUri(root) };
    const params: ConfigurationParams = { items: [{ section, ...scope }] };
    const [settings] = await this.#connection.sendRequest<readonly unknown[]>("workspace/configuration", params);
    return settings ?? this.#sent;
  }
}

function sectionOf(settings: unknown): unknown {
  return typeof settings === "object" && settings !== null ? (settings as Record<string, unknown>)[section] : undefined;
}
