import { accessSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

/** A pyright that can be asked: how its language server is started, and where it was found. */
export interface PyrightProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly from: "path" | "workspace" | "package";
}

/** Where {@link findPyright} looks. */
export interface PyrightSearch {
  /** The absolute path of the workspace. */
  readonly root: string;
  /** The folders that programs are looked for in, as `PATH` names them; those of this process unless told. */
  readonly searchPath?: string | undefined;
  /** Whether a pyright that lies in the workspace may be run: it is code of the workspace. It may not unless told. */
  readonly isTrusted?: boolean | undefined;
}

/**
 * Finds a pyright: that on the search path, for it is the person's own; that of a workspace which is trusted; the npm package that
 * is installed beside Emend. `undefined` where there is none.
 */
export function findPyright({
  root,
  searchPath = process.env["PATH"],
  isTrusted,
}: PyrightSearch): PyrightProgram | undefined {
  const onPath = programIn((searchPath ?? "").split(delimiter).filter((folder) => folder !== ""));
  if (onPath !== undefined) return { command: onPath, args: ["--stdio"], from: "path" };
  const own = isTrusted === true ? programIn(programFolders.map((folder) => join(root, folder))) : undefined;
  if (own !== undefined) return { command: own, args: ["--stdio"], from: "workspace" };
  const script = packagedServer();
  return script === undefined ? undefined : { command: process.execPath, args: [script, "--stdio"], from: "package" };
}

/** The folders of packages in the virtual environments of a workspace. Nothing of them is run to learn that. */
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
        // Most folders have none.
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
