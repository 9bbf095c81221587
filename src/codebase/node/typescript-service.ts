import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Expression, Identifier, Node, SourceFile } from "typescript/unstable/ast";
import type { API, Checker, Project, Snapshot, Symbol as TsSymbol, Type } from "typescript/unstable/async";
import { EmendError } from "../../text/index.ts";
import type { FileReferences } from "../graph/reference.ts";
import { PendingAnswers } from "./pending-answers.ts";
import { filesOfDisk, filesWithTexts, type TypeScriptFiles } from "./typescript-files.ts";
import type { KnownPlaces } from "./typescript-outlines.ts";
import { type FileQuestions, TypeScriptPipe } from "./typescript-pipe.ts";
import type { TypeScriptReferences } from "./typescript-references.ts";

/** What the service is opened with. */
export interface TypeScriptServiceOptions {
  /** The absolute path of the folder that it works in, with `/`. */
  readonly root: string;
  /** The files it sees; the disk's unless told. */
  readonly files?: TypeScriptFiles;
  /** The most milliseconds of one answer; a minute unless told. */
  readonly timeoutMs?: number;
  /** The program, instead of the one that comes with TypeScript. */
  readonly program?: string;
}

/** A project: a `tsconfig.json` and what it holds, or all files that lie in none. */
export interface TypeScriptProject {
  /** The absolute path of its configuration; `undefined` for the files that lie in no project. */
  readonly config: string | undefined;
  /** The files of it that the configuration names, or that were opened. */
  readonly roots: readonly string[];
}

/** A declaration: the whole of it, and its name. Offsets are in UTF-16 units; comments before it are left out. */
export interface DeclarationPlace {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Where its name begins; `start` where it has none. */
  readonly nameStart: number;
}

/** What a name means. */
export interface NamedSymbol {
  /** Equal for equal symbols of one project, until the next update. */
  readonly id: number;
  readonly name: string;
  /** Declarations in libraries are among them. */
  readonly declarations: readonly DeclarationPlace[];
  /** What an import or re-export stands for in the end; absent where it is none, and where that is not found. */
  readonly target?: NamedSymbol;
}

/** What is wrong with a file. Offsets are in UTF-16 units. */
export interface TypeScriptDiagnostic {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** TypeScript's own number, such as 2339. */
  readonly code: number;
  readonly kind: "syntax" | "types";
  readonly message: string;
  /** The sentences below the message, the outer before the inner. */
  readonly details?: readonly string[];
}

/** The names that may stand behind a dot, and the type or namespace whose they are: `any` where any name may, as far as types tell, or where no member stands there. */
export type MemberNames =
  | { readonly kind: "names"; readonly of: string; readonly names: readonly string[] }
  | { readonly kind: "any" };

/** What may be said of any question. */
export interface TypeScriptQuestion {
  readonly signal?: AbortSignal;
  /** The state that is asked; the newest unless told. */
  readonly at?: HeldState;
}

/** A state of the texts that may be asked as long as it is held, whatever is told meanwhile. Whoever holds it disposes it; twice is harmless. */
export type HeldState = Disposable;

/**
 * The TypeScript compiler as a service, in a process of its own: TypeScript 7's native API behind plain data.
 *
 * With its pipe and the files of references it is all that knows that API, which is marked unstable. Files are named by absolute paths with `/`. Questions may be asked at the
 * same time; each is answered by the texts that were told before it. Methods reject with {@link EmendError}: `typescript-missing`,
 * `typescript-failed`, `typescript-slow`, `typescript-closed`.
 */
export class TypeScriptService implements AsyncDisposable {
  readonly #options: TypeScriptServiceOptions;
  readonly #texts = new Map<string, string | null>();
  readonly #seen: TypeScriptFiles;
  /** Open files that lie in no project. */
  readonly #loose = new Set<string>();
  /** What rejects when the process ends: its requests never settle by themselves. */
  readonly #pending = new PendingAnswers();
  #api: API | undefined;
  #pipe: TypeScriptPipe | undefined;
  #current: SharedSnapshot | undefined;
  readonly #held = new WeakMap<HeldState, SharedSnapshot>();
  /** Updates are done one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #lost: EmendError | undefined;

  constructor(options: TypeScriptServiceOptions) {
    this.#options = options;
    this.#seen = filesWithTexts(options.files ?? filesOfDisk, this.#texts);
  }

  /** Opens the projects of these configurations, by their absolute paths. References are not followed. */
  async openProjects(configs: readonly string[], question: TypeScriptQuestion = {}): Promise<void> {
    await this.#update([{ openProjects: [...configs] }], question);
  }

  /** Opens files, each with the project that holds it; one that lies in none is opened all the same. */
  async openFiles(paths: readonly string[], question: TypeScriptQuestion = {}): Promise<void> {
    await this.#update([{ openFiles: [...paths] }], question);
    const projects = await this.#ask(question, (snapshot) =>
      Promise.all(paths.map(async (path) => (await snapshot.getDefaultProjectForFile(path))?.configFileName)),
    );
    // An open file keeps the text that it had then. Those of a project are not needed: the project can be open itself.
    const held = paths.filter((_, index) => projects[index] !== undefined && projects[index] !== looseConfig);
    const openProjects = [...new Set(projects)].filter((config) => config !== undefined && config !== looseConfig);
    for (const path of paths) if (!held.includes(path)) this.#loose.add(path);
    if (held.length > 0) await this.#update([{ openProjects: openProjects as string[], closeFiles: held }], question);
  }

  /**
   * Tells new texts of files: what was not saved, or what might be. `null` hides a file, `undefined` gives it back as the disk has it
   * now, which also is how changes of the disk are told.
   */
  async update(
    texts: ReadonlyMap<string, string | null | undefined>,
    question: TypeScriptQuestion = {},
  ): Promise<void> {
    const changed = [...texts].filter(([path, text]) => text === undefined || this.#texts.get(path) !== text);
    if (changed.length === 0) return;
    const changes = { changed: [] as string[], created: [] as string[], deleted: [] as string[] };
    for (const [path, text] of changed) {
      const wasThere = this.#seen.hasFile(path) ?? existsSync(path);
      if (text === undefined) this.#texts.delete(path);
      else this.#texts.set(path, text);
      const isThere = this.#seen.hasFile(path) ?? existsSync(path);
      // The files of projects are looked for again only where one comes or goes. What the disk lost meanwhile was there before.
      if (!isThere) changes.deleted.push(path);
      else changes[wasThere && text !== undefined ? "changed" : "created"].push(path);
      if (isThere && text === undefined) changes.changed.push(path);
    }
    const reopened = changed.map(([path]) => path).filter((path) => this.#loose.has(path));
    const isOneByOne = changes.changed.length === changed.length && changed.length <= maxOneByOne;
    if (isOneByOne && reopened.length === 0)
      await this.#update(
        changes.changed.map((path) => ({ fileChanges: { changed: [path] } })),
        question,
      );
    else await this.#update([{ fileChanges: changes, closeFiles: reopened, openFiles: reopened }], question);
  }

  /** Holds the state of the texts as they were told last. */
  async hold(question: TypeScriptQuestion = {}): Promise<HeldState> {
    question.signal?.throwIfAborted();
    const snapshot = await this.#newest(question);
    const state: HeldState = { [Symbol.dispose]: snapshot.hold() };
    this.#held.set(state, snapshot);
    return state;
  }

  /** The projects that are open now. */
  projects(question: TypeScriptQuestion = {}): Promise<readonly TypeScriptProject[]> {
    return this.#ask(question, async (snapshot) =>
      snapshot.getProjects().map(({ configFileName, rootFiles }) => ({
        config: configFileName === looseConfig ? undefined : configFileName,
        roots: rootFiles,
      })),
    );
  }

  /** What the names at `offsets` of a file mean, in their order; `undefined` where no name stands, or it means nothing. */
  symbols(
    path: string,
    offsets: readonly number[],
    question: TypeScriptQuestion = {},
  ): Promise<readonly (NamedSymbol | undefined)[]> {
    return this.#inFile(path, question, async ({ checker, file, project }) => {
      const byStart = new Map<number, Node>();
      for (const node of await namesIn(file)) byStart.set(node.getStart(file), node);
      const nodes = offsets.map((offset) => byStart.get(offset));
      const found = await checker.getSymbolAtLocation(nodes.filter((node) => node !== undefined));
      const symbols = new SymbolReader(project);
      let next = 0;
      return Promise.all(nodes.map((node) => (node === undefined ? undefined : symbols.read(found[next++]))));
    });
  }

  /** What is wrong with these files: what breaks their syntax, and what their types say. */
  async diagnostics(
    paths: readonly string[],
    question: TypeScriptQuestion = {},
  ): Promise<readonly TypeScriptDiagnostic[]> {
    const all = await Promise.all(
      paths.map((path) =>
        this.#inFile(path, question, async ({ project: { program } }) => {
          const [syntax, types] = await Promise.all([
            program.getSyntacticDiagnostics(path),
            program.getSemanticDiagnostics(path),
          ]);
          const told = (kind: TypeScriptDiagnostic["kind"]) => (found: (typeof syntax)[number]) => ({
            ...{ path: found.fileName ?? path, start: found.pos, end: found.end, code: found.code, kind },
            message: found.text,
          });
          return [...syntax.map(told("syntax")), ...types.map(told("types"))];
        }),
      ),
    );
    return all.flat();
  }

  /**
   * What the names of these files of a project mean, and what else ties them to declarations, in the order of `paths`. `pathOf` says
   * where in the workspace a file lies, or `undefined` of files outside, which nothing is told of. With `saying`, only of these names.
   */
  references(
    config: string,
    paths: readonly string[],
    pathOf: (path: string) => string | undefined,
    question: TypeScriptQuestion & { readonly saying?: ReadonlySet<string> } = {},
  ): Promise<readonly (FileReferences | undefined)[]> {
    return this.#ask(question, async (snapshot, known) => {
      const [{ TypeScriptReferences }, { TypeScriptOutlines }] = await Promise.all([
        import("./typescript-references.ts"),
        import("./typescript-outlines.ts"),
      ]);
      let references = known.references.get(config);
      if (references === undefined) {
        const project = openProject(snapshot, config);
        references = new TypeScriptReferences(project, new TypeScriptOutlines(project, known.places), pathOf);
        known.references.set(config, references);
      }
      // Some files at a time: the service answers them side by side, and their trees are not all held at once.
      const found: (FileReferences | undefined)[] = [];
      let next = 0;
      const worker = async () => {
        while (next < paths.length) {
          const index = next++;
          question.signal?.throwIfAborted();
          found[index] = await references.of(paths[index]!, question.saying);
        }
      };
      await Promise.all(Array.from({ length: filesAtOnce }, worker));
      return found;
    });
  }

  /** The types of what is declared at these names of a file of a project: in full, and each name with its module. */
  typesAt(
    config: string,
    path: string,
    nameStarts: readonly number[],
    question: TypeScriptQuestion = {},
  ): Promise<readonly (string | undefined)[]> {
    return this.#ask(question, async (snapshot) => {
      const { checker } = openProject(snapshot, config);
      // By position, though that is dearer for each: the tree of the file is not needed for a few.
      const named = nameStarts.filter((start) => start >= 0);
      const types = await checker.getTypeAtPosition(path, named);
      const { NodeBuilderFlags } = await import("typescript/unstable/async");
      const flags = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseFullyQualifiedType;
      const printed = await Promise.all(types.map((type) => type && checker.typeToString(type, undefined, flags)));
      return nameStarts.map((start) => (start < 0 ? undefined : printed[named.indexOf(start)]));
    });
  }

  /** What the types of a project say against it: of these files, or of all. */
  typeErrors(
    config: string,
    paths: readonly string[] | undefined,
    question: TypeScriptQuestion = {},
  ): Promise<readonly TypeScriptDiagnostic[]> {
    return this.#ask(question, async (snapshot) => {
      const { program } = openProject(snapshot, config);
      const found =
        paths === undefined
          ? await program.getSemanticDiagnostics()
          : (await Promise.all(paths.map((path) => program.getSemanticDiagnostics(path)))).flat();
      return found.flatMap(({ fileName, pos, end, code, category, text, messageChain }) => {
        if (fileName === undefined || category !== errorCategory) return [];
        const details = sentencesBelow(messageChain);
        const told = { path: fileName, start: pos, end, code, kind: "types" as const, message: text };
        return [details.length === 0 ? told : { ...told, details }];
      });
    });
  }

  /**
   * The names that may stand at `offset`, right behind a dot and before the name that stands there now: the members of what stands before
   * the dot, as far as that place may use them. With `?.` those of what is neither null nor undefined.
   */
  memberNames(path: string, offset: number, question: TypeScriptQuestion = {}): Promise<MemberNames> {
    return this.#inFile(path, question, async ({ checker, file }) => {
      const ast = await loadAst();
      const left = receiverAt(ast, file, offset);
      if (left === undefined) return anyName;
      const type = left.kind === "value" ? await checker.getTypeAtLocation(left.node) : undefined;
      if (left.kind === "value" && (type === undefined || (await mayHaveAnyName(checker, type, path)))) return anyName;
      const completions = await checker.getCompletionsAtPosition(path, offset);
      if (completions === undefined || completions.isIncomplete) return anyName;
      const offered = completions.entries.map(({ name, insertText }) => (insertText ?? name).replace(/^\?\./, ""));
      const all = type === undefined ? offered : [...offered, ...(await enumMembers(checker, type))];
      const names = [...new Set(all)].filter((name) => memberName.test(name));
      return {
        kind: "names",
        of: type === undefined ? left.node.getText(file) : await checker.typeToString(type),
        names,
      };
    });
  }

  /** Ends the process. What was asked and not answered is rejected. */
  async close(): Promise<void> {
    if (this.#lost === undefined) {
      this.#lose(new EmendError("typescript-closed", "The TypeScript service was closed before it could answer."));
    }
    this.#api = undefined;
    // Nothing is lost with it. Its goodbye is not waited for: it may be busy with a question that nobody waits for.
    this.#pipe?.process.kill("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Makes a new snapshot of everything, step after step, of which the last alone is asked; questions asked before are still answered by the old one. What is begun is
   * done to its end.
   */
  #update(steps: readonly SnapshotChange[], question: TypeScriptQuestion): Promise<void> {
    const updating = this.#turn.then(async () => {
      question.signal?.throwIfAborted();
      this.#api ??= await this.#open();
      const api = this.#api;
      const places = new Map(this.#current?.known.places);
      let made: Snapshot | undefined;
      for (const step of steps) {
        const snapshot = await this.#guard(api.updateSnapshot(step), {});
        made?.dispose().catch(() => undefined);
        made = snapshot;
        for (const path of changedPaths(step)) places.delete(path);
      }
      if (made === undefined) return;
      this.#current?.retire();
      this.#current = new SharedSnapshot(made, { places, references: new Map() });
    });
    this.#turn = updating.catch(() => undefined);
    return updating;
  }

  async #open(): Promise<API> {
    if (this.#lost !== undefined) throw this.#lost;
    const { root, program } = this.#options;
    try {
      const { API } = await import("typescript/unstable/async");
      const pipe = await TypeScriptPipe.open(program ?? (await programOfPackage()), root, fileQuestions(this.#seen));
      this.#watch(pipe.process);
      const api = new API({ cwd: root });
      // It starts no process of its own as long as it is not asked by its own client.
      (api as unknown as { client: TypeScriptPipe }).client = pipe;
      this.#pipe = pipe;
      return api;
    } catch (cause) {
      const message = `The TypeScript service cannot be started: ${detailOf(cause)} Install Emend with its optional dependencies.`;
      throw new EmendError("typescript-missing", message, { cause });
    }
  }

  #watch(child: ChildProcess): void {
    child.once("exit", (code, signal) => {
      this.#lose(new EmendError("typescript-failed", `The TypeScript service ended by itself (${signal ?? code}).`));
    });
    // It does not keep this process alive; a question that waits does, by its time limit.
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe.unref();
  }

  #lose(reason: EmendError): void {
    this.#lost ??= reason;
    this.#pending.failAll(this.#lost);
  }

  async #inFile<T>(path: string, question: TypeScriptQuestion, ask: (place: FilePlace) => Promise<T>): Promise<T> {
    await this.#turn;
    const known = await this.#ask(question, (snapshot) => placeOf(snapshot, path));
    if (known === undefined) await this.openFiles([path], question);
    return this.#ask(question, async (snapshot) => {
      const place = await placeOf(snapshot, path);
      if (place !== undefined) return ask(place);
      throw new EmendError("file-missing", `The TypeScript service has no file ${path}.`);
    });
  }

  async #ask<T>(
    question: TypeScriptQuestion,
    ask: (snapshot: Snapshot, known: SnapshotMemory) => Promise<T>,
  ): Promise<T> {
    question.signal?.throwIfAborted();
    const held = question.at && this.#held.get(question.at);
    const snapshot = held ?? (await this.#newest(question));
    return this.#guard(snapshot.use(ask), question);
  }

  async #newest(question: TypeScriptQuestion): Promise<SharedSnapshot> {
    if (this.#current === undefined) await this.#update([{}], question);
    await this.#turn;
    if (this.#current !== undefined) return this.#current;
    throw this.#lost ?? new EmendError("typescript-failed", "TypeScript gave no snapshot.");
  }

  /** Settles as `work` does, or rejects where the process ends, the time is over, or nobody waits any more. */
  async #guard<T>(work: Promise<T>, { signal }: TypeScriptQuestion): Promise<T> {
    const { timeoutMs = 60_000 } = this.#options;
    if (this.#lost !== undefined) {
      work.catch(() => undefined);
      throw this.#lost;
    }
    return this.#pending.wait(work, {
      ...{ signal, timeoutMs },
      slow: () => new EmendError("typescript-slow", `The TypeScript service did not answer within ${timeoutMs} ms.`),
      failed: (cause) => (cause instanceof EmendError ? cause : failed(cause)),
    });
  }
}

/**
 * How many files are told one by one at most: where one alone has another text, and imports what it did, the service changes its program; where several have, it
 * makes a new one of all files.
 */
const maxOneByOne = 24;

/** How many files' references are asked at the same time. */
const filesAtOnce = 16;

/** `DiagnosticCategory.Error`; its enumeration is loaded with the service only. */
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

/** The files that an update says to have changed. */
function changedPaths({ fileChanges }: SnapshotChange): readonly string[] {
  if (fileChanges === undefined || "invalidateAll" in fileChanges) return [];
  const { changed = [], created = [], deleted = [] } = fileChanges as FileChangeLists;
  return [...changed, ...created, ...deleted];
}

/** What makes a snapshot another. */
type SnapshotChange = NonNullable<Parameters<API["updateSnapshot"]>[0]>;

interface FileChangeLists {
  readonly changed?: readonly string[];
  readonly created?: readonly string[];
  readonly deleted?: readonly string[];
}

/** The configuration that the service gives to files of no project. */
const looseConfig = "/dev/null/inferred";

const anyName = { kind: "any" } as const;

/** A file in its project. */
interface FilePlace {
  readonly project: Project;
  readonly checker: Checker;
  readonly file: SourceFile;
}

async function placeOf(snapshot: Snapshot, path: string): Promise<FilePlace | undefined> {
  const project = await snapshot.getDefaultProjectForFile(path);
  const file = await project?.program.getSourceFile(path);
  return project && file && { project, checker: project.checker, file };
}

/** What was learnt of a snapshot. */
interface SnapshotMemory {
  /** Where the nodes of its files stand, as far as that was asked: of use to the next one too, but for files that change. */
  readonly places: KnownPlaces;
  /** By configuration. Those who ask agree where in the workspace files lie. */
  readonly references: Map<string, TypeScriptReferences>;
}

/** A snapshot that is let go when it is neither the newest nor in use. */
class SharedSnapshot {
  readonly #snapshot: Snapshot;
  readonly known: SnapshotMemory;
  #users = 0;
  #isRetired = false;

  constructor(snapshot: Snapshot, known: SnapshotMemory) {
    this.#snapshot = snapshot;
    this.known = known;
  }

  async use<T>(ask: (snapshot: Snapshot, known: SnapshotMemory) => Promise<T>): Promise<T> {
    const letGo = this.hold();
    try {
      return await ask(this.#snapshot, this.known);
    } finally {
      letGo();
    }
  }

  /** Keeps it in use until what is given is called; twice is harmless. */
  hold(): () => void {
    this.#users += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#users -= 1;
      this.#letGo();
    };
  }

  retire(): void {
    this.#isRetired = true;
    this.#letGo();
  }

  #letGo(): void {
    // Where the process is gone there is nobody to tell.
    if (this.#isRetired && this.#users === 0) this.#snapshot.dispose().catch(() => undefined);
  }
}

/** Reads symbols of one project into plain data, each once. */
class SymbolReader {
  readonly #project: Project;
  readonly #known = new Map<TsSymbol, Promise<NamedSymbol>>();

  constructor(project: Project) {
    this.#project = project;
  }

  async read(symbol: TsSymbol | undefined): Promise<NamedSymbol | undefined> {
    if (symbol === undefined) return undefined;
    const known = this.#known.get(symbol);
    if (known !== undefined) return known;
    const reading = this.#read(symbol);
    this.#known.set(symbol, reading);
    return reading;
  }

  async #read(symbol: TsSymbol): Promise<NamedSymbol> {
    const { SymbolFlags } = await import("typescript/unstable/async");
    const { checker } = this.#project;
    const aliased = symbol.flags & SymbolFlags.Alias ? await checker.getAliasedSymbol(symbol) : undefined;
    const isFound = aliased !== undefined && !(await checker.isUnknownSymbol(aliased));
    const target = isFound ? await this.read(aliased) : undefined;
    const places = await Promise.all(symbol.declarations.map(declarationPlace));
    return {
      ...{ id: symbol.id, name: symbol.name },
      declarations: places.filter((place) => place !== undefined),
      ...(target !== undefined && { target }),
    };
  }
}

async function declarationPlace(handle: TsSymbol["declarations"][number]): Promise<DeclarationPlace | undefined> {
  const node = await handle.resolve();
  if (node === undefined) return undefined;
  const file = node.getSourceFile();
  const { name } = node as { readonly name?: Node };
  const start = node.getStart(file);
  return { path: file.fileName, start, end: node.end, nameStart: name?.getStart(file) ?? start };
}

type Ast = typeof import("typescript/unstable/ast");

/** Loaded when it is first needed: it is large, and most commands need none of it. */
function loadAst(): Promise<Ast> {
  return import("typescript/unstable/ast");
}

/** All names of a file, in their order. */
async function namesIn(file: SourceFile): Promise<readonly Node[]> {
  const { SyntaxKind } = await loadAst();
  const names: Node[] = [];
  const visit = (node: Node): void => {
    if (node.kind === SyntaxKind.Identifier || node.kind === SyntaxKind.PrivateIdentifier) names.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  return names;
}

/** What stands before the dot whose name begins at `offset`: a value, or a namespace in a type. */
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

/** Whether types say nothing against any name at all: what is unknown, what has an index, what code may add members to. */
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
  // In JavaScript an assignment is how members come to be; in TypeScript so do those of functions.
  if (symbol.declarations.some((declaration) => isJavaScript.test(declaration.path))) return true;
  const isFunction = (symbol.flags & SymbolFlags.Function) !== 0;
  return isFunction && symbol.declarations.some((declaration) => declaration.path.toLowerCase() === path.toLowerCase());
}

/** The members of an enum: completions leave out those that another `case` of the same `switch` has. */
async function enumMembers(checker: Checker, type: Type): Promise<readonly string[]> {
  const { SymbolFlags } = await import("typescript/unstable/async");
  const symbol = await type.getSymbol();
  if (symbol === undefined || (symbol.flags & SymbolFlags.Enum) === 0) return [];
  return (await checker.getPropertiesOfType(type)).map(({ name }) => name);
}

/** A name that may stand behind a dot. */
const memberName = /^#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** The program that comes with the package, found as the package itself does. */
async function programOfPackage(): Promise<string> {
  const folder = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  const { default: programPath } = (await import(pathToFileURL(join(folder, "lib", "getExePath.js")).href)) as {
    readonly default: () => string;
  };
  return programPath();
}

/** How the service's questions for files are answered; `undefined` leaves one to the disk. */
function fileQuestions(seen: TypeScriptFiles): FileQuestions {
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
    // What the disk does not know has no links.
    realpath: (path) => (seen.hasFile(path) || seen.hasFolder(path) ? path : undefined),
  };
}

function failed(cause: unknown): EmendError {
  return new EmendError("typescript-failed", `The TypeScript service could not answer: ${detailOf(cause)}`, { cause });
}

function detailOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.endsWith(".") ? text : `${text}.`;
}
