import { nameOf } from "./workspace-path.ts";

/** A folder that tools or other people fill, and the evidence for it. */
export interface ToolFolder {
  /**
   * `vendored`: third-party code. `output`: files that tools write. `version-control`: `.git` and
   * the like.
   */
  readonly kind: "vendored" | "output" | "version-control";
  readonly detail: string;
}

/** What is known of a folder without reading it. */
export interface FolderView {
  readonly path: string;
  /** The names of the other entries in the parent folder. */
  readonly siblings: ReadonlySet<string>;
  /**
   * Whether git's rules can separate code from build output: there is a repository or a
   * `.gitignore`.
   */
  readonly hasGitRules: boolean;
}

/**
 * Whether a folder is filled by tools or other people, by its name and what lies beside it;
 * `undefined` when it is not.
 *
 * - Some names have no other use: `node_modules`, `__pycache__`, `.next`.
 * - `vendor` has another one (a shop has vendors). It counts at the root, and beside the manifest
 *   of a package manager that fills it.
 * - `build`, `dist`, `out`, `target`, `bin`, `obj`, `coverage` are code as often as output. Where
 *   git's rules are available, they decide, because output is ignored there and code is not.
 *   Elsewhere the name counts beside a manifest whose tool writes such a folder.
 *
 * Marker files in a folder count everywhere: see {@link tryMarkedFolder}.
 */
export function tryToolFolder({ path, siblings, hasGitRules }: FolderView): ToolFolder | undefined {
  const name = nameOf(path);
  if (versionControl.has(name)) return { kind: "version-control", detail: name };
  if (vendored.has(name)) return { kind: "vendored", detail: "its name" };
  if (output.has(name)) return { kind: "output", detail: "its name" };
  if (name === "vendor") {
    if (path === name) return { kind: "vendored", detail: "it lies at the root" };
    const manifest = vendoring.find((known) => siblings.has(known));
    return manifest === undefined ? undefined : { kind: "vendored", detail: `it lies beside ${manifest}` };
  }
  if (hasGitRules) return undefined;
  const [, manifests] = writing.find(([folders]) => folders.includes(name)) ?? [];
  const found = manifests === undefined ? undefined : Array.from(siblings).find((sibling) => manifests.test(sibling));
  return found === undefined ? undefined : { kind: "output", detail: `it lies beside ${found}` };
}

/**
 * Whether a folder contains a marker file of a tool; `names` are the names in it. `undefined` when
 * it does not.
 */
export function tryMarkedFolder(names: ReadonlySet<string>): ToolFolder | undefined {
  const mark = marks.find(([name]) => names.has(name));
  return mark && { kind: mark[1], detail: `it holds ${mark[0]}` };
}

const versionControl = new Set([".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", "CVS"]);

const vendored = new Set([
  ...["node_modules", "bower_components", "jspm_packages", "web_modules", ".pnpm-store", ".yarn"],
  ...["third_party", "third-party", "thirdparty", "3rdparty", "site-packages", "dist-packages", "__pypackages__"],
  ...[".venv", ".virtualenv", ".bundle", "Pods", "Carthage", "elm-stuff", ".pub-cache", ".stack-work", "jspm_modules"],
]);

const output = new Set([
  ...[
    "__pycache__",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
    ".eggs",
    ".ipynb_checkpoints",
    ".hypothesis",
  ],
  ...[
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
    ".astro",
    ".angular",
    ".docusaurus",
    ".vercel",
    ".netlify",
    ".parcel-cache",
  ],
  ...[".turbo", ".nx", ".cache", ".nyc_output", ".rollup.cache", ".vite", ".serverless", ".aws-sam", ".terraform"],
  ...[
    ".gradle",
    ".kotlin",
    ".dart_tool",
    ".build",
    "DerivedData",
    ".ccls-cache",
    ".clangd",
    ".bloop",
    ".metals",
    "zig-cache",
    ".zig-cache",
  ],
]);

/** Manifests of package managers that fill a `vendor` folder beside them. */
const vendoring = ["go.mod", "composer.json", "Gemfile", "Cargo.toml", "package.json", "mix.exs"];

/** Names of folders, and the manifests whose tools write them. */
const writing: readonly (readonly [readonly string[], RegExp])[] = [
  [["dist", "out"], /^(package\.json|pyproject\.toml|setup\.py|tsconfig\.json)$/],
  [
    ["build"],
    /^(package\.json|pyproject\.toml|setup\.py|build\.gradle(\.kts)?|CMakeLists\.txt|pubspec\.yaml|meson\.build)$/,
  ],
  [["target"], /^(Cargo\.toml|pom\.xml|build\.sbt)$/],
  [["bin", "obj"], /\.(cs|fs|vb|vcx)proj$/],
  [["coverage"], /^(package\.json|pyproject\.toml|Gemfile)$/],
  [["_build"], /^(mix\.exs|dune-project|rebar\.config|conf\.py)$/],
  [["venv", "env"], /^(requirements.*\.txt|pyproject\.toml|setup\.py)$/],
];

const marks: readonly (readonly [string, "vendored" | "output"])[] = [
  ["pyvenv.cfg", "vendored"],
  // Source: https://bford.info/cachedir/, which Cargo, pytest and others follow.
  ["CACHEDIR.TAG", "output"],
  [".rustc_info.json", "output"],
  ["CMakeCache.txt", "output"],
  ["lcov.info", "output"],
  ["build.ninja", "output"],
  [".ninja_log", "output"],
  ["maven-status", "output"],
];
