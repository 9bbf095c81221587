import { type FileSystem, FileSystemError, folderOf } from "../workspace/index.ts";

/** Files at the root of a project, in any language of the registry. */
const projectFiles = [
  ...["package.json", "deno.json", "tsconfig.json", "jsconfig.json"],
  ...["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"],
  ...["go.mod", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "composer.json", "Gemfile"],
  ...["CMakeLists.txt", "Makefile", "meson.build", "global.json"],
];

/**
 * Finds the workspace of a file: the nearest git work tree above it, or else the nearest folder
 * with a project file, or else its own folder. `folder` is the absolute folder of the file, links
 * resolved. Folders that cannot be read are skipped, so it does not reject with a
 * {@link FileSystemError}.
 */
export async function findWorkspaceRoot(folder: string, fileSystem: FileSystem): Promise<string> {
  let project: string | undefined;
  for (let at = folder; ; at = folderAbove(at)) {
    const names = await namesIn(at, fileSystem);
    // In a linked work tree and in a submodule `.git` is a file.
    if (names.has(".git")) return at;
    if (project === undefined && isProject(names)) project = at;
    if (folderAbove(at) === at) return project ?? folder;
  }
}

function isProject(names: ReadonlySet<string>): boolean {
  if (projectFiles.some((name) => names.has(name))) return true;
  return [...names].some((name) => /\.(sln|csproj|gemspec)$/.test(name));
}

async function namesIn(folder: string, fileSystem: FileSystem): Promise<ReadonlySet<string>> {
  try {
    return new Set((await fileSystem.readFolder(folder)).map(({ name }) => name));
  } catch (error) {
    // An unreadable folder above is skipped; those above it may be readable.
    if (error instanceof FileSystemError) return new Set();
    throw error;
  }
}

/** The folder above an absolute path; a root is its own. */
export function folderAbove(folder: string): string {
  const above = folderOf(folder);
  if (above === "") return folder.startsWith("/") ? "/" : folder;
  return /^[A-Za-z]:$/.test(above) ? `${above}/` : above;
}
