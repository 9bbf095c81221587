import { accessSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

/** How pyright's language server is started, and where it was found. */
export interface PyrightProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly from: "path" | "workspace" | "package";
}

/** Where {@link findPyright} looks. */
export interface PyrightSearch {
  /** The absolute path of the workspace. */
  readonly root: string;
  /**
   * The folders in which programs are searched, in the format of `PATH`; default: `PATH` of this
   * process.
   */
  readonly searchPath?: string | undefined;
  /**
   * Whether a pyright from the workspace may run, which is code of the workspace; default: `false`.
   */
  readonly isTrusted?: boolean | undefined;
}

/**
 * Finds a pyright: on the search path, because that is the user's own; in the workspace if it is
 * trusted; or the npm package that is installed beside Emend. Returns `undefined` when there is
 * none.
 */
export function findPyright({
  root,
  searchPath = process.env["PATH"],
  isTrusted,
}: PyrightSearch): PyrightProgram | undefined {
  const onPath = programIn((searchPath ?? "").split(delimiter).filter((folder) => folder !== ""));
  if (onPath !== undefined) return { command: onPath, args: ["--stdio"], from: "path" };
  const inWorkspace = isTrusted === true ? programIn(programFolders.map((folder) => join(root, folder))) : undefined;
  if (inWorkspace !== undefined) return { command: inWorkspace, args: ["--stdio"], from: "workspace" };
  const script = packagedServer();
  return script === undefined ? undefined : { command: process.execPath, args: [script, "--stdio"], from: "package" };
}

/**
 * The absolute package folders of the workspace's virtual environments (`.venv` and `venv`) that
 * exist. `namesIn` lists a folder, empty where it cannot. Nothing in them is executed.
 */
export function packageFolders(root: string, namesIn: (folder: string) => readonly string[]): string[] {
  return environments.flatMap((name) => {
    const environment = join(root, name);
    const versions = namesIn(join(environment, "lib")).filter((version) => version.startsWith("python"));
    const unix = versions.map((version) => join(environment, "lib", version, "site-packages"));
    return [...unix, join(environment, "Lib", "site-packages")].filter((folder) => existsSync(folder));
  });
}

const environments = [".venv", "venv"];
const programFolders = [
  join("node_modules", ".bin"),
  ...environments.flatMap((name) => [join(name, "bin"), join(name, "Scripts")]),
];

function programIn(folders: readonly string[]): string | undefined {
  const endings = process.platform === "win32" ? [".exe"] : [""];
  for (const folder of folders) {
    for (const ending of endings) {
      const program = join(folder, `pyright-langserver${ending}`);
      try {
        accessSync(program, constants.X_OK);
        return program;
      } catch {
        // Most folders contain no pyright.
      }
    }
  }
  return undefined;
}

function packagedServer(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve("pyright/langserver.index.js");
  } catch {
    return undefined;
  }
}
