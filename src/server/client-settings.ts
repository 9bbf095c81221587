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
  readonly #initial: unknown;
  /**
   * The last settings that the client sent; used where `workspace/configuration` is not supported.
   */
  #sent: unknown;

  /** `initializationOptions` are those of the client. */
  constructor(connection: Connection, capabilities: ClientCapabilities, initializationOptions: unknown) {
    this.#connection = connection;
    this.#capabilities = capabilities.workspace;
    this.#initial = sectionOf(initializationOptions);
    this.#sent = this.#initial;
  }

  /** Whether the client answers `workspace/configuration`, so that {@link read} requests it. */
  get areRequested(): boolean {
    return this.#capabilities?.configuration === true;
  }

  /**
   * The settings of a folder before {@link read} has answered. A client that is requested may also
   * send all of its settings with their defaults, as VS Code does: these would outrank the user's
   * own file, and are left out.
   */
  get known(): unknown {
    return this.areRequested ? this.#initial : this.#sent;
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
    if (!this.areRequested) return this.#sent;
    const scope = root === undefined ? {} : { scopeUri: toFileUri(root) };
    const params: ConfigurationParams = { items: [{ section, ...scope }] };
    const [settings] = await this.#connection.sendRequest<readonly unknown[]>("workspace/configuration", params);
    return settings ?? this.#sent;
  }
}

function sectionOf(settings: unknown): unknown {
  return typeof settings === "object" && settings !== null ? (settings as Record<string, unknown>)[section] : undefined;
}
