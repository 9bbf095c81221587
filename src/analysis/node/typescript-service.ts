import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { LRUCache } from "lru-cache";
import type { Expression, Identifier, Node, SourceFile } from "typescript/unstable/ast";
import type { API, Checker, Project, Snapshot, Type } from "typescript/unstable/async";
import { type AbortOptions, SerialQueue } from "../../async/index.ts";
import { EmendError, errorMessage, getOrInsert } from "../../text/index.ts";
import { signalOwned } from "../../workspace/node/index.ts";
import type { FileDiagnostic } from "../diagnostics/type-checker.ts";
import type { FileReferences, MemberNames } from "../graph/reference.ts";
import { PendingAnswers, sentence } from "./pending-answers.ts";
import { filesOfDisk, filesWithTexts, type TypeScriptFiles } from "./typescript-files.ts";
import { KnownFiles } from "./typescript-known-files.ts";
import { type FileCallbacks, type TypeScriptEnd, TypeScriptPipe } from "./typescript-pipe.ts";
import type { TypeScriptReferences } from "./typescript-references.ts";
import { type CheckerLimits, defaultCheckerLimits, excessError } from "./watch-checker.ts";

/** The options of {@link TypeScriptService}. */
export interface TypeScriptServiceOptions {
  /** The absolute path of its working folder, with `/`. */
  readonly root: string;
  /** The files that it reads; default: those on the disk. */
  readonly files?: TypeScriptFiles;
  /** The timeout of one request in milliseconds; default: one minute. */
  readonly timeoutMs?: number;
  /** The limits of its process; default: {@link defaultCheckerLimits}. */
  readonly limits?: Partial<CheckerLimits> | undefined;
  /** The program; default: the one in the `typescript` package. */
  readonly program?: string;
}

/**
 * The TypeScript compiler as a service in a process of its own: TypeScript 7's native API, with
 * plain data.
 *
 * Only this file, its pipe and the files of references use that API, which is marked unstable.
 * Files are named by absolute paths with `/`. Requests may be concurrent; each is answered for the
 * texts of the updates before it. Methods reject with an {@link EmendError}: `typescript-missing`,
 * `typescript-failed`, `typescript-slow`, `typescript-closed`; `typescript-memory` and
 * `typescript-stalled` when the process exceeded a limit and was ended. After the process has
 * ended, all requests reject.
 */
export class TypeScriptService implements AsyncDisposable {
  readonly #options: TypeScriptServiceOptions;
  readonly #texts = new Map<string, string | null>();
  readonly #seen: TypeScriptFiles;
  /** Rejects the requests when the process ends: they would never settle. */
  readonly #pending: PendingAnswers;
  #api: API | undefined;
  #pipe: TypeScriptPipe | undefined;
  /** The snapshot that was made last, to which the next changes of the process refer. */
  #last: SharedSnapshot | undefined;
  /**
   * The snapshots of two texts, the one that was used last first: checks of a change go back to the
   * texts before it. The one that was made last is one of them.
   */
  #kept: readonly SharedSnapshot[] = [];
  #updates = new SerialQueue();
  #lost: EmendError | undefined;
  #lastRead: string | undefined;

  constructor(options: TypeScriptServiceOptions) {
    this.#options = options;
    this.#pending = new PendingAnswers(typescript, options.timeoutMs ?? 60_000);
    this.#seen = filesWithTexts(options.files ?? filesOfDisk, this.#texts);
  }

  /**
   * The absolute path of the file that the process requested last; `undefined` before the first.
   * With one thread it is the one that is being parsed.
   */
  get lastRead(): string | undefined {
    return this.#lastRead;
  }

  /**
   * Opens the projects of these configurations, by absolute path; the process starts with the first
   * request. Project references are not followed. Rejects with an {@link EmendError}, as described
   * for the class, and with the signal's reason on abort.
   */
  async openProjects(configs: readonly string[], question: AbortOptions = {}): Promise<void> {
    await this.#updates.run(() => this.#renew([{ openProjects: [...configs] }]), question.signal);
  }

  /**
   * Sets the texts of files, such as unsaved ones. `null` hides a file; `undefined` reads it from
   * the disk again, which is also how changes on the disk are reported. The process gets the texts
   * with the next request: texts that are taken back before it cost nothing. Rejects with the
   * signal's reason on abort.
   */
  async update(texts: ReadonlyMap<string, string | null | undefined>, question: AbortOptions = {}): Promise<void> {
    await this.#updates.run(() => {
      for (const [path, text] of texts) {
        const known = this.#texts.get(path);
        if (text !== undefined && known === text) continue;
        for (const { outdated } of this.#kept) {
          if (!outdated.has(path)) outdated.set(path, known);
          else if (text !== undefined && outdated.get(path) === text) outdated.delete(path);
        }
        if (text === undefined) this.#texts.delete(path);
        else this.#texts.set(path, text);
      }
    }, question.signal);
  }

  /**
   * The references of these files of a project, in the order of `paths`; `undefined` for a file
   * that the project does not contain or that is too long. `pathOf` maps an absolute path to a path
   * in the workspace; declarations in files for which it returns `undefined` are left out. With
   * `onlyNames`, only references by these names.
   *
   * Rejects with an {@link EmendError}: `typescript-failed` where the project is not open,
   * otherwise as described for the class; and with the signal's reason on abort.
   */
  references(
    config: string,
    paths: readonly string[],
    pathOf: (path: string) => string | undefined,
    question: AbortOptions & { readonly onlyNames?: ReadonlySet<string> } = {},
  ): Promise<readonly (FileReferences | undefined)[]> {
    return this.#request(question, async (snapshot, kept) => {
      const [{ TypeScriptReferences }, { TypeScriptOutlines }] = await Promise.all([
        import("./typescript-references.ts"),
        import("./typescript-outlines.ts"),
      ]);
      const references = getOrInsert(kept.references, config, () => {
        const project = openProject(snapshot, config);
        const outlines = new TypeScriptOutlines(project, kept.knownFiles, () => this.#api?.clearSourceFileCache());
        return new TypeScriptReferences(project, outlines, pathOf);
      });
      // A few files at a time: the service works on them in parallel, and not all trees are in
      // memory.
      const found: (FileReferences | undefined)[] = [];
      let next = 0;
      const worker = async () => {
        while (next < paths.length) {
          const index = next++;
          question.signal?.throwIfAborted();
          const path = paths[index]!;
          const key = `${config}\n${path}`;
          const isWhole = question.onlyNames === undefined;
          const known = isWhole ? kept.files.get(key) : undefined;
          const answer = known ?? (await references.of(path, question.onlyNames));
          if (isWhole && answer !== undefined) kept.files.set(key, answer);
          found[index] = answer;
        }
      };
      await Promise.all(Array.from({ length: filesAtOnce }, worker));
      return found;
    });
  }

  /**
   * The types of the declarations at `nameStarts` (UTF-16 units) in a file of a project, in the
   * same order: without truncation, each name with its module. `undefined` for a negative offset,
   * or when there is no type. Rejects as {@link references} does.
   */
  typesAt(
    config: string,
    path: string,
    nameStarts: readonly number[],
    question: AbortOptions = {},
  ): Promise<readonly (string | undefined)[]> {
    return this.#request(question, async (snapshot) => {
      const { checker } = openProject(snapshot, config);
      // A request by position costs more, but a few of them need no tree of the file.
      const named = nameStarts.filter((start) => start >= 0);
      const types = await checker.getTypeAtPosition(path, named);
      const { NodeBuilderFlags } = await import("typescript/unstable/async");
      const flags = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseFullyQualifiedType;
      const printed = await Promise.all(types.map((type) => type && checker.typeToString(type, undefined, flags)));
      return nameStarts.map((start) => (start < 0 ? undefined : printed[named.indexOf(start)]));
    });
  }

  /**
   * The type errors of a project, with absolute paths, in these files or in all where `paths` is
   * `undefined`; syntax errors and warnings are left out. Rejects as {@link references} does.
   */
  typeErrors(
    config: string,
    paths: readonly string[] | undefined,
    question: AbortOptions = {},
  ): Promise<readonly FileDiagnostic[]> {
    return this.#request(question, async (snapshot) => {
      const { program } = openProject(snapshot, config);
      const found =
        paths === undefined
          ? await program.getSemanticDiagnostics()
          : (await Promise.all(paths.map((path) => program.getSemanticDiagnostics(path)))).flat();
      return found.flatMap(({ fileName, pos, end, code, category, text, messageChain }) => {
        if (fileName === undefined || category !== errorCategory) return [];
        const details = sentencesBelow(messageChain);
        const diagnostic = { path: fileName, start: pos, end, code: String(code), message: text };
        return [details.length === 0 ? diagnostic : { ...diagnostic, details }];
      });
    });
  }

  /**
   * The names that may be at `offset` (UTF-16 units), directly after a dot and in place of the name
   * that is there: the accessible members of what precedes the dot. After `?.`, those of its
   * non-null type. `any` where no name begins at `offset` after a dot, the type is unknown or
   * allows any name, or the project does not contain the file. Rejects as {@link references} does.
   */
  memberNames(config: string, path: string, offset: number, question: AbortOptions = {}): Promise<MemberNames> {
    return this.#request(question, async (snapshot) => {
      const { checker, program } = openProject(snapshot, config);
      const file = await program.getSourceFile(path);
      const left = file && receiverAt(await loadAst(), file, offset);
      if (file === undefined || left === undefined) return anyName;
      const type = left.kind === "value" ? await checker.getTypeAtLocation(left.node) : undefined;
      if (left.kind === "value" && (type === undefined || (await mayHaveAnyName(checker, type, path)))) return anyName;
      const completions = await checker.getCompletionsAtPosition(path, offset);
      if (completions === undefined || completions.isIncomplete) return anyName;
      const completed = completions.entries.map(({ name, insertText }) => (insertText ?? name).replace(/^\?\./, ""));
      const all = type === undefined ? completed : [...completed, ...(await enumMembers(checker, type))];
      const names = [...new Set(all)].filter((name) => memberName.test(name));
      return {
        kind: "names",
        of: type === undefined ? left.node.getText(file) : await checker.typeToString(type),
        names,
      };
    });
  }

  /** Ends the process. Requests that are waiting reject with `typescript-closed`. */
  async close(): Promise<void> {
    this.#lose(new EmendError("typescript-closed", "The TypeScript service was closed before it could answer."));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Makes a new snapshot of the present texts, after these steps. Requests made before still use
   * theirs. A started update is not aborted.
   */
  async #renew(steps: readonly SnapshotChange[]): Promise<SharedSnapshot> {
    this.#api ??= await this.#open();
    const api = this.#api;
    const changed: string[] = [];
    const outdated = this.#last?.outdated ?? new Map(Array.from(this.#texts.keys(), (path) => [path, undefined]));
    let made: Snapshot | undefined;
    for (const step of [...this.#textSteps(outdated), ...steps]) {
      const snapshot = await this.#guard(api.updateSnapshot(step), {});
      made?.dispose().catch(() => undefined);
      made = snapshot;
      changed.push(...changedPaths(step));
    }
    if (made === undefined) throw new EmendError("typescript-failed", "TypeScript gave no snapshot.");
    const knownFiles = this.#last?.known.knownFiles.without(changed) ?? new KnownFiles();
    const fresh = new SharedSnapshot(made, {
      knownFiles,
      references: new Map(),
      files: new LRUCache({ max: keptFiles }),
    });
    this.#last = fresh;
    // Another snapshot lacks the projects that a step opens, and needs as much memory as this one.
    const isAlone = steps.length > 0 || (this.#pipe?.memoryShare ?? 0) > maxShareOfTwo;
    this.#keep([fresh, ...(isAlone ? [] : this.#kept.slice(0, 1))]);
    return fresh;
  }

  #keep(snapshots: readonly SharedSnapshot[]): void {
    const before = this.#kept;
    this.#kept = snapshots;
    for (const one of before) if (!snapshots.includes(one)) one.retire();
  }

  /** The steps that give the process the present texts of these files, with their texts before. */
  #textSteps(outdated: OutdatedTexts): readonly SnapshotChange[] {
    const changes = { changed: [] as string[], created: [] as string[], deleted: [] as string[] };
    const { files = filesOfDisk } = this.#options;
    for (const [path, before] of outdated) {
      const isOnDisk = () => files.hasFile(path) ?? existsSync(path);
      const wasThere = before === undefined ? isOnDisk() : before !== null;
      const text = this.#texts.get(path);
      // The service searches the files of projects again only when a file is added or removed. A
      // file that was removed from the disk meanwhile was there before.
      if (text === null || (text === undefined && !isOnDisk())) changes.deleted.push(path);
      else changes[wasThere && text !== undefined ? "changed" : "created"].push(path);
      if (text === undefined && isOnDisk()) changes.changed.push(path);
    }
    const count = changes.changed.length;
    if (count < outdated.size || count > maxOneByOne || changes.created.length > 0) return [{ fileChanges: changes }];
    return changes.changed.map((path) => ({ fileChanges: { changed: [path] } }));
  }

  async #open(): Promise<API> {
    if (this.#lost !== undefined) throw this.#lost;
    const { root, program } = this.#options;
    try {
      const { API } = await import("typescript/unstable/async");
      const pipe = await TypeScriptPipe.open({
        program: program ?? (await programOfPackage()),
        ...{ folder: root, files: this.#fileCallbacks() },
        limits: { ...defaultCheckerLimits, ...this.#options.limits },
        onEnd: (end) => this.#lose(endError(end)),
      });
      // The process does not keep this one alive; a waiting request does, by its timer.
      pipe.process.unref();
      for (const stream of pipe.process.stdio) if (stream instanceof Socket) stream.unref();
      // The service may have been closed meanwhile.
      if (this.#lost !== undefined) signalOwned(pipe.process, "SIGKILL");
      const api = new API({ cwd: root });
      // The API starts no process of its own as long as its own client is not used.
      (api as unknown as { client: TypeScriptPipe }).client = pipe;
      this.#pipe = pipe;
      return api;
    } catch (cause) {
      const message = `The TypeScript service cannot be started: ${sentence(errorMessage(cause))} Install Emend with its optional dependencies.`;
      throw new EmendError("typescript-missing", message, { cause });
    }
  }

  #fileCallbacks(): FileCallbacks {
    const questions = fileCallbacks(this.#seen);
    return {
      ...questions,
      readFile: (path) => {
        this.#lastRead = path;
        return questions["readFile"]!(path);
      },
    };
  }

  /**
   * Ends the process; it holds no data that could be lost, and it may be busy with a request that
   * was aborted.
   */
  #lose(reason: EmendError): void {
    this.#lost ??= reason;
    this.#api = undefined;
    if (this.#pipe !== undefined) signalOwned(this.#pipe.process, "SIGKILL");
    this.#pipe = undefined;
    this.#pending.failAll(this.#lost);
  }

  async #request<T>(
    question: AbortOptions,
    request: (snapshot: Snapshot, known: SnapshotMemory) => Promise<T>,
  ): Promise<T> {
    question.signal?.throwIfAborted();
    const snapshot = await this.#newest(question);
    question.signal?.throwIfAborted();
    return this.#guard(snapshot.use(request), question);
  }

  /** The snapshot of the texts of all updates so far. */
  #newest({ signal }: AbortOptions): Promise<SharedSnapshot> {
    return this.#updates.run(() => {
      if (this.#lost !== undefined) throw this.#lost;
      const present = this.#kept.find(({ outdated }) => outdated.size === 0);
      if (present === undefined) return this.#renew(this.#last === undefined ? [{}] : []);
      this.#keep([present, ...this.#kept.filter((one) => one !== present)]);
      return present;
    }, signal);
  }

  /**
   * Settles like `work`, or rejects when the process ends, the time is over, or the signal is
   * aborted.
   */
  async #guard<T>(work: Promise<T>, { signal }: AbortOptions): Promise<T> {
    if (this.#lost !== undefined) {
      work.catch(() => undefined);
      throw this.#lost;
    }
    return this.#pending.wait(work, signal);
  }
}

/**
 * The most files that are updated one by one. When one file with the same imports changes, the
 * service updates its program; when several change at once, it makes a new program of all files.
 */
const maxOneByOne = 24;

/** The share of the memory limit up to which the snapshots of two texts are kept. */
const maxShareOfTwo = 0.5;

/** The most files whose references are requested at the same time. */
const filesAtOnce = 16;

/**
 * The most files whose references are kept: those of a change are requested with the change laid
 * over, and again when it is made.
 */
const keptFiles = 16;

/** `DiagnosticCategory.Error`; the enumeration itself is loaded with the service only. */
const errorCategory = 1;

interface Chained {
  readonly text: string;
  readonly messageChain?: readonly Chained[] | undefined;
}

function sentencesBelow(chain: readonly Chained[] | undefined): string[] {
  return (chain ?? []).flatMap(({ text, messageChain }) => [text, ...sentencesBelow(messageChain)]);
}

function openProject(snapshot: Snapshot, config: string): Project {
  const project = snapshot.getProject(config);
  if (project !== undefined) return project;
  throw new EmendError("typescript-failed", `The TypeScript service has no project ${config}.`);
}

/** The files that an update marks as changed. */
function changedPaths({ fileChanges }: SnapshotChange): readonly string[] {
  if (fileChanges === undefined || "invalidateAll" in fileChanges) return [];
  const { changed = [], created = [], deleted = [] } = fileChanges as FileChangeLists;
  return [...changed, ...created, ...deleted];
}

/** The parameter of the API's `updateSnapshot`. */
type SnapshotChange = NonNullable<Parameters<API["updateSnapshot"]>[0]>;

interface FileChangeLists {
  readonly changed?: readonly string[];
  readonly created?: readonly string[];
  readonly deleted?: readonly string[];
}

const anyName = { kind: "any" } as const;

/** What is cached for a snapshot. */
interface SnapshotMemory {
  /** The next snapshot takes it over, except for files that change. */
  readonly knownFiles: KnownFiles;
  /** By configuration. All callers pass an equivalent `pathOf`. */
  readonly references: Map<string, TypeScriptReferences>;
  /** The references of whole files that were requested last, by configuration and path. */
  readonly files: LRUCache<string, FileReferences>;
}

/** Texts by path; `null` for no file, `undefined` for the text that the disk had. */
type OutdatedTexts = ReadonlyMap<string, string | null | undefined>;

/** A snapshot that is disposed of when it is neither kept nor in use. */
class SharedSnapshot {
  /** The texts that it has where they differ from the present ones. */
  readonly outdated = new Map<string, string | null | undefined>();
  readonly #snapshot: Snapshot;
  readonly known: SnapshotMemory;
  #users = 0;
  #isRetired = false;

  constructor(snapshot: Snapshot, known: SnapshotMemory) {
    this.#snapshot = snapshot;
    this.known = known;
  }

  async use<T>(request: (snapshot: Snapshot, known: SnapshotMemory) => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      return await request(this.#snapshot, this.known);
    } finally {
      this.#users -= 1;
      this.#letGo();
    }
  }

  retire(): void {
    this.#isRetired = true;
    this.#letGo();
  }

  #letGo(): void {
    // The call fails when the process has ended, which needs no handling.
    if (this.#isRetired && this.#users === 0) this.#snapshot.dispose().catch(() => undefined);
  }
}

type Ast = typeof import("typescript/unstable/ast");

/** Loads the syntax module on first use: it is large, and most commands do not need it. */
function loadAst(): Promise<Ast> {
  return import("typescript/unstable/ast");
}

/**
 * The expression, or the namespace in a type, before the dot whose name begins at `offset`;
 * `undefined` when there is none.
 */
function receiverAt({ SyntaxKind }: Ast, file: SourceFile, offset: number) {
  let receiver: { readonly kind: "value" | "namespace"; readonly node: Node } | undefined;
  const visit = (node: Node): void => {
    if (receiver !== undefined || offset < node.pos || offset > node.end) return;
    if (node.kind === SyntaxKind.PropertyAccessExpression) {
      const { name, expression } = node as Node & { readonly name: Identifier; readonly expression: Expression };
      if (name.getStart(file) === offset) receiver = { kind: "value", node: expression };
    } else if (node.kind === SyntaxKind.QualifiedName) {
      const { left, right } = node as Node & { readonly left: Node; readonly right: Identifier };
      if (right.getStart(file) === offset) receiver = { kind: "namespace", node: left };
    }
    node.forEachChild(visit);
  };
  visit(file);
  return receiver;
}

/**
 * Whether the types allow any member name: an unknown type, an index signature, or a symbol to
 * which code may add members.
 */
async function mayHaveAnyName(checker: Checker, type: Type, path: string): Promise<boolean> {
  const { TypeFlags, SymbolFlags } = await import("typescript/unstable/async");
  if (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.Never)) return true;
  const present = (await checker.getNonNullableType(type)) ?? type;
  const apparent = (await checker.getApparentType(present)) ?? present;
  for (const { keyType } of await checker.getIndexInfosOfType(apparent)) {
    if (keyType.flags & (TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping)) return true;
  }
  const symbol = await apparent.getSymbol();
  if (symbol === undefined) return false;
  const isJavaScript = /\.[cm]?jsx?$/;
  // In JavaScript an assignment adds members; in TypeScript it does so for functions.
  if (symbol.declarations.some((declaration) => isJavaScript.test(declaration.path))) return true;
  const isFunction = (symbol.flags & SymbolFlags.Function) !== 0;
  return isFunction && symbol.declarations.some((declaration) => declaration.path.toLowerCase() === path.toLowerCase());
}

/**
 * The members of an enum. Completions leave out those that another `case` of the same `switch`
 * uses.
 */
async function enumMembers(checker: Checker, type: Type): Promise<readonly string[]> {
  const { SymbolFlags } = await import("typescript/unstable/async");
  const symbol = await type.getSymbol();
  if (symbol === undefined || (symbol.flags & SymbolFlags.Enum) === 0) return [];
  return (await checker.getPropertiesOfType(type)).map(({ name }) => name);
}

/** A name that may follow a dot. */
const memberName = /^#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/**
 * The path of the program in the `typescript` package. Rejects when the package is not installed.
 */
async function programOfPackage(): Promise<string> {
  const folder = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  const { default: programPath } = (await import(pathToFileURL(join(folder, "lib", "getExePath.js")).href)) as {
    readonly default: () => string;
  };
  return programPath();
}

/** The service's callbacks for reading files; the disk is used for a result of `undefined`. */
function fileCallbacks(seen: TypeScriptFiles): FileCallbacks {
  return {
    readFile: (path) => {
      const content = seen.readFile(path);
      return content === undefined ? undefined : { content };
    },
    fileExists: (path) => seen.hasFile(path),
    directoryExists: (path) => seen.hasFolder(path),
    getAccessibleEntries: (folder) => {
      const names = seen.namesIn(folder);
      return names && { files: names.files, directories: names.folders };
    },
    // Files that are not on the disk have no links.
    realpath: (path) => (seen.hasFile(path) || seen.hasFolder(path) ? path : undefined),
  };
}

const typescript = { name: "The TypeScript service", code: "typescript" };

function endError(end: TypeScriptEnd): EmendError {
  switch (end.kind) {
    case "memory":
    case "stalled":
      return excessError(typescript, end);
    case "unreadable":
      return new EmendError("typescript-failed", `The TypeScript service sent an invalid message: ${end.message}`);
    case "exited": {
      const complaint = end.complaint === "" ? "" : `: ${end.complaint}`;
      return new EmendError("typescript-failed", `The TypeScript service ended by itself (${end.how})${complaint}.`);
    }
  }
}
