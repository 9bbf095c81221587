import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, sep } from "node:path";
import { parseArgs } from "node:util";

/**
 * Packs the extension of VS Code with the language server:
 * `editors/vscode/dist/emend-PLATFORM.vsix`.
 *
 * The server is the package as it is published, with its production dependencies as the lockfile
 * pins them, less what it does not need to serve an editor. Some of them are programs for one
 * system: `--target` selects it, this one by default. The package must be built, or is with
 * `--build`.
 */
const root = join(import.meta.dirname, "..");
const extension = join(root, "editors/vscode");

/** npm's words for the platforms that an extension can be packed for. */
const platforms: Readonly<Record<string, { readonly os: string; readonly cpu: string; readonly libc?: string }>> = {
  "linux-x64": { os: "linux", cpu: "x64", libc: "glibc" },
  "linux-arm64": { os: "linux", cpu: "arm64", libc: "glibc" },
  "alpine-x64": { os: "linux", cpu: "x64", libc: "musl" },
  "alpine-arm64": { os: "linux", cpu: "arm64", libc: "musl" },
  "darwin-x64": { os: "darwin", cpu: "x64" },
  "darwin-arm64": { os: "darwin", cpu: "arm64" },
  "win32-x64": { os: "win32", cpu: "x64" },
  "win32-arm64": { os: "win32", cpu: "arm64" },
};

/**
 * Files of packages that the extension does not load: declarations, source maps and documentation.
 * TypeScript loads its own declarations.
 */
const unread = /\.(?:map|d\.[cm]?ts|md|markdown|tsbuildinfo)$|(?:^|\/)(?:CHANGELOG|README)\b/i;
/** Of the formatter: what is not for scripts or its settings, and its command line. */
const unreadOfPrettier =
  /^\.bin\/prettier|^prettier\/(?!package\.json$|(?:doc|index|standalone)\.mjs$|plugins\/(?:babel|estree|yaml)\.mjs$)/;
const unreadFolders = new Set([
  "zod/src",
  // The compiler for `require`; Emend imports its modules.
  "svelte/compiler",
  "gpt-tokenizer/src",
  "gpt-tokenizer/cjs",
  "gpt-tokenizer/data",
  "web-tree-sitter/debug",
]);

const { values } = parseArgs({
  options: { build: { type: "boolean" }, target: { type: "string" }, out: { type: "string" } },
});
const target = values.target ?? `${process.platform}-${process.arch}`;
const platform = platforms[target];
if (platform === undefined) {
  console.error(`There is no platform \`${target}\`. Choose one of ${Object.keys(platforms).join(", ")}.`);
  process.exit(2);
}
// After the check, because the build takes about a minute.
if (values.build === true)
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit", shell: true });
if (!existsSync(join(root, "dist/cli/main.js"))) throw new Error("The package is not built. Run `npm run build`.");

const staging = mkdtempSync(join(tmpdir(), "emend-vsix-"));
try {
  buildClient();
  for (const name of ["package.json", "CHANGELOG.md", "icon.png", "images", "dist/extension.cjs"]) {
    cpSync(join(extension, name), join(staging, name), { recursive: true });
  }
  writeFileSync(join(staging, "README.md"), withPictures(readFileSync(join(extension, "README.md"), "utf8")));
  cpSync(join(root, "LICENSE"), join(staging, "LICENSE"));
  packServer(join(staging, "server"));
  const out = values.out ?? join(extension, "dist", `emend-${target}.vsix`);
  run(
    "vsce",
    [
      "package",
      "--target",
      target,
      "--no-dependencies",
      "--allow-missing-repository",
      "--no-rewrite-relative-links",
      "--skip-license",
      "--out",
      out,
    ],
    staging,
  );
  console.log(`${out}: ${(statSync(out).size / 1e6).toFixed(1)} MB`);
} finally {
  rmSync(staging, { recursive: true, force: true });
}

/** A README whose pictures are in the text: VS Code loads none from the files of an extension. */
function withPictures(readme: string): string {
  return readme.replace(/\]\((images\/[\w-]+\.png)\)/g, (_, path: string) => {
    return `](data:image/png;base64,${readFileSync(join(extension, path)).toString("base64")})`;
  });
}

function buildClient(): void {
  run("vite", ["build", "--logLevel", "warn"], extension);
}

/** The published files of the package, and what they need on the platform. */
function packServer(folder: string): void {
  mkdirSync(folder);
  const listed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(listed) as [{ readonly files: readonly { readonly path: string }[] }];
  for (const { path } of files) {
    if (!path.startsWith("dist/web/") && !unread.test(path)) cpSync(join(root, path), join(folder, path));
  }
  writeDependencies(folder);
  const { os, cpu, libc } = platform!;
  const on = [`--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
  run("npm", ["install", "--omit=dev", "--omit=peer", ...on, ...quiet], folder);
  rmSync(join(folder, "package-lock.json"));
  prune(join(folder, "node_modules"));
}

/** `package.json` and the lockfile, without packages for development and optional ones. */
function writeDependencies(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  for (const one of [manifest, lock.packages[""]]) {
    delete one.devDependencies;
    delete one.peerDependencies;
    delete one.peerDependenciesMeta;
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, scripts: {} }));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

/** Removes what is never read. Licences stay. */
function prune(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll(sep, "/");
    if (!existsSync(path)) continue;
    if (entry.isDirectory()) {
      const [last, before] = [basename(path), basename(entry.parentPath)];
      if (unreadFolders.has(`${before}/${last}`)) rmSync(path, { recursive: true });
    } else if (!/licen[cs]e/i.test(name)) {
      const isUnread = unread.test(name) && !/(?:^|\/)@?typescript\//.test(name);
      if (isUnread || unreadOfPrettier.test(name)) rmSync(path);
    }
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  const bin = join(root, "node_modules/.bin");
  const env = { ...process.env, PATH: `${bin}${process.platform === "win32" ? ";" : ":"}${process.env["PATH"]}` };
  execFileSync(command, args, {
    cwd,
    env,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
}
