/** A program, what it is called with, and what its environment has in addition. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What is known when the server is started. */
export interface ServerChoice {
  /** `emend.path`; empty for the server that comes with the extension. */
  readonly path: string;
  /** The file of the server that comes with the extension. */
  readonly bundled: string;
  /** The program that runs the extension, which is a Node, if told to be one. */
  readonly node: string;
  /** Whether the person trusts the workspace; they are asked by the editor. */
  readonly isTrusted: boolean;
}

/**
 * How the server is started. A script is run by the editor's own Node, so that none has to be
 * installed; anything else that `emend.path` names is run as it is.
 */
export function serverCommand({ path, bundled, node, isTrusted }: ServerChoice): ServerCommand {
  const args = ["lsp", "--stdio", ...(isTrusted ? ["--trust"] : [])];
  const script = path === "" ? bundled : path;
  if (!/\.[cm]?js$/.test(script)) return { command: script, args, environment: {} };
  return { command: node, args: [script, ...args], environment: { ELECTRON_RUN_AS_NODE: "1" } };
}
