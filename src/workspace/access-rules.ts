import { type FileSystem, FileSystemError } from "./file-system.ts";
import { IgnoreTree, type IgnoreVerdict } from "./ignore-tree.ts";
import { trySecretPath } from "./secret-path.ts";
import { folderOf, joinPath, nameOf, tryRelativePath } from "./workspace-path.ts";

/** The file system and the folder of the workspace that {@link AccessRules} decides about. */
export interface AccessRulesOptions {
  readonly fileSystem: FileSystem;
  /**
   * The absolute folder of the workspace, links resolved; `undefined` for files outside any
   * workspace.
   */
  readonly root: string | undefined;
  /** The absolute path of the user's own ignore file, git's `core.excludesFile`. */
  readonly excludesFile?: string | undefined;
}

/**
 * Whether a file may be read, by its path, by the path that links lead to, and by the ignore rules
 * of both.
 */
export type FileVerdict =
  | { readonly kind: "allowed" }
  /** The file holds keys or passwords, by its name or by the name of a folder above it. */
  | { readonly kind: "secret"; readonly from: "name" | "folder"; readonly detail: string }
  | {
      readonly kind: "ignored";
      /** The rule in one line, such as `.gitignore:2: out/`. */
      readonly by: string;
      readonly rule: IgnoreVerdict;
      /**
       * `models`: an ignore file about what models see excludes it. `git`: only an ignore file of
       * git does.
       */
      readonly from: "models" | "git";
    };

/**
 * Decides which files may be read. Every reader of files uses it. Refused are files that hold
 * secrets, files that an ignore file excludes, and all files of a workspace that is excluded
 * itself.
 *
 * A file is judged by the path that is passed and, where that path contains a link, by its real
 * path as well; the stricter verdict holds. The target of a link that leads out of the workspace is
 * judged by the ignore rules of the target's folder.
 *
 * {@link prepare} reads links and ignore files; {@link verdict} is synchronous and uses what was
 * read. The file itself need not exist.
 */
export class AccessRules {
  readonly #options: AccessRulesOptions;
  /** The ignore rules, by the root folder that they were opened for. */
  #trees: Trees = new Map();
  /**
   * The rules that {@link verdict} uses. After {@link forget} the old ones stay until they are read
   * again.
   */
  readonly #loaded = new Map<string, IgnoreTree>();
  /** The real place of each prepared path that contains a link. */
  readonly #real = new Map<string, Place>();

  constructor(options: AccessRulesOptions) {
    this.#options = options;
  }

  /**
   * Reads what {@link verdict} needs for the file at `path`: where its links lead, and the ignore
   * files of both places. A folder that cannot be read has no ignore files, and a link that cannot
   * be resolved is judged by its own path. `path` is relative to the root; where there is no root,
   * it is absolute or a bare name.
   */
  async prepare(path: string): Promise<void> {
    for (let trees: Trees | undefined; trees !== this.#trees; ) {
      trees = this.#trees;
      const given = this.#placeOf(path);
      const absolute = joinPath(given.root, given.path);
      const real = isAbsolute(absolute) ? await realPathOf(absolute, this.#options.fileSystem) : absolute;
      await this.#load(given, trees);
      if (real === absolute) this.#real.delete(path);
      else {
        const place = this.#placeAt(real);
        await this.#load(place, trees);
        this.#real.set(path, place);
      }
    }
  }

  /**
   * The verdict on the file at `path`, from what {@link prepare} read for it. A path that was not
   * prepared is judged by its name and by the rules that are loaded already.
   */
  verdict(path: string): FileVerdict {
    const given = this.#verdictAt(this.#placeOf(path));
    const place = this.#real.get(path);
    if (place === undefined) return given;
    const real = this.#verdictAt(place);
    return strictness(real) > strictness(given) ? real : given;
  }

  /**
   * Marks what was read as outdated, because an ignore file has changed. Paths have to be prepared
   * again; until then the old rules hold.
   */
  forget(): void {
    this.#trees = new Map();
  }

  #placeOf(path: string): Place {
    const { root } = this.#options;
    return root === undefined ? this.#placeAt(path) : { root, path };
  }

  /** The place of an absolute path: relative to the workspace, or else a name in its own folder. */
  #placeAt(absolute: string): Place {
    const { root } = this.#options;
    const inside = root === undefined ? undefined : tryRelativePath(root, absolute);
    if (root !== undefined && inside !== undefined) return { root, path: inside };
    const above = folderOf(absolute);
    const folder = above === "" && absolute.startsWith("/") ? "/" : above;
    return { root: folder, path: nameOf(absolute) };
  }

  async #load({ root, path }: Place, trees: Trees): Promise<void> {
    // A bare name has no folder and therefore no ignore rules.
    if (root === "") return;
    const { fileSystem, excludesFile } = this.#options;
    const opening = trees.get(root) ?? IgnoreTree.open({ fileSystem, root, ignoreCase: false, excludesFile });
    trees.set(root, opening);
    // A failure rejects for all that wait for this promise; the next call opens the rules again.
    opening.catch(() => trees.delete(root));
    const tree = await opening;
    await tree.loadTo(folderOf(path));
    // `forget` may have been called meanwhile.
    if (trees === this.#trees) this.#loaded.set(root, tree);
  }

  #verdictAt({ root, path }: Place): FileVerdict {
    const secret = trySecretPath(joinPath(root, path));
    if (secret !== undefined) return { kind: "secret", from: secret.by, detail: secret.detail };
    const tree = this.#loaded.get(root);
    for (const [families, from] of [
      ["models", "models"],
      ["all", "git"],
    ] as const) {
      const rule = tree?.decide(path, false, families);
      if (rule?.excluded !== true) continue;
      const file = root === this.#options.root || isAbsolute(rule.file) ? rule.file : joinPath(root, rule.file);
      return { kind: "ignored", by: `${file}:${rule.lineNumber}: ${rule.pattern}`, rule: { ...rule, file }, from };
    }
    return { kind: "allowed" };
  }
}

type Trees = Map<string, Promise<IgnoreTree>>;

/**
 * A file, and the absolute folder whose ignore rules apply to it. `root` is empty for a bare name.
 */
interface Place {
  readonly root: string;
  readonly path: string;
}

function strictness(verdict: FileVerdict): number {
  if (verdict.kind === "allowed") return 0;
  if (verdict.kind === "secret") return 3;
  return verdict.from === "models" ? 2 : 1;
}

function isAbsolute(path: string): boolean {
  return /^(\/|[A-Za-z]:)/.test(path);
}

/** The most links to missing targets that are followed on one path, as on Linux. */
const maxLinks = 40;

/**
 * The absolute path with every link resolved, also where the target does not exist yet: writing to
 * such a link creates the target. Returns `path` itself where the file system refuses.
 */
async function realPathOf(path: string, fileSystem: FileSystem, links = 0): Promise<string> {
  try {
    return await fileSystem.realPath(path);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code !== "file-missing" || links > maxLinks) return path;
    const folder = folderOf(path);
    if (folder === "") return path;
    const realFolder = await realPathOf(folder, fileSystem, links);
    const target = await fileSystem.readLink?.(path).catch(() => undefined);
    if (target === undefined) return joinPath(realFolder, nameOf(path));
    return realPathOf(isAbsolute(target) ? target : joinPath(realFolder, target), fileSystem, links + 1);
  }
}
