import {
  type ClientCapabilities,
  type ConfigurationParams,
  type Connection,
  DidChangeConfigurationNotification,
} from "vscode-languageserver";
import { toFileUri } from "./file-uri.ts";

/** The section of the editor's settings that belongs to Emend. */
const section = "emend";

/**
 * The settings that the editor has for Emend. Requested with `workspace/configuration` where the
 * client supports it, which may answer differently for each folder; otherwise the last that the
 * client sent.
 */
export class ClientSettings {
  readonly #connection: Connection;
  readonly #capabilities: ClientCapabilities["workspace"];
  /**
   * The last settings that the client sent; used where `workspace/configuration` is not supported.
   */
  #sent: unknown;

  /** `initial` are the `initializationOptions` of the client. */
  constructor(connection: Connection, capabilities: ClientCapabilities, initial: unknown) {
    this.#connection = connection;
    this.#capabilities = capabilities.workspace;
    this.#sent = sectionOf(initial);
  }

  /**
   * The settings that the client has sent so far; available before the first request to the client.
   */
  get sent(): unknown {
    return this.#sent;
  }

  /** Registers for changes of the configuration, where the client supports dynamic registration. */
  async follow(): Promise<void> {
    if (this.#capabilities?.didChangeConfiguration?.dynamicRegistration !== true) return;
    await this.#connection.client.register(DidChangeConfigurationNotification.type, { section });
  }

  /** Stores settings that a client sent in a notification: all of its settings, or none. */
  update(settings: unknown): void {
    this.#sent = sectionOf(settings) ?? this.#sent;
  }

  /**
   * Returns the settings for the folder with the absolute path `root`, or for files outside of all
   * folders if `undefined`. Rejects when the request to the client fails.
   */
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
