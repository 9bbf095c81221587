/** A program, its arguments, and additional environment variables. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The program that runs a command line of Emend. */
export interface ServerProgram {
  /** `emend.path`; empty for the bundled server. */
  readonly path: string;
  /** The script of the bundled server. */
  readonly bundled: string;
  /**
   * The program that runs the extension: Electron, which runs as Node.js with
   * `ELECTRON_RUN_AS_NODE`.
   */
  readonly node: string;
}

/** The input of {@link serverCommand}. */
export interface ServerChoice extends ServerProgram {
  /** Whether the user trusts the workspace; VS Code asks for it. */
  readonly isTrusted: boolean;
}

/** The command line of the server. */
export function serverCommand({ isTrusted, ...program }: ServerChoice): ServerCommand {
  return emendCommand(program, ["lsp", "--stdio", ...(isTrusted ? ["--trust"] : [])]);
}

/**
 * A command line of Emend. A script runs in the Node.js of VS Code, so that no other one has to be
 * installed; any other program of `emend.path` runs directly.
 */
export function emendCommand({ path, bundled, node }: ServerProgram, args: readonly string[]): ServerCommand {
  const script = path === "" ? bundled : path;
  if (!/\.[cm]?js$/.test(script)) return { command: script, args, environment: {} };
  return { command: node, args: [script, ...args], environment: { ELECTRON_RUN_AS_NODE: "1" } };
}
