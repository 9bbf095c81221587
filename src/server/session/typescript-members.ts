import {
  excessOf,
  filesOfDisk,
  filesWithTexts,
  findFilesOverLimit,
  type LeftOutFiles,
  printLeftOut,
  TypeScriptService,
} from "../../analysis/node/index.ts";
import { type Clock, resultWithin, SerialQueue } from "../../async/index.ts";
import type { MemberAnswer, MemberSource } from "../../grammar/index.ts";
import { EmendError } from "../../text/index.ts";
import { joinPath } from "../../workspace/index.ts";

/** The options of {@link TypeScriptMembers}. */
export interface TypeScriptMembersOptions {
  /** The absolute folder of the workspace. */
  readonly root: string;
  readonly clock: Clock;
  /** The most milliseconds that a request may wait. */
  readonly timeoutMs: number;
  /** The most megabytes of memory of the service's process, by the current settings. */
  maxMemoryMb(): number;
  /** Opens the service for a folder; TypeScript's, from this package, by default. */
  readonly open?: (root: string, limits: MembersLimits) => Pick<TypeScriptService, "update" | "memberNames" | "close">;
  /**
   * Finds the files that make the service exceed a limit; {@link findFilesOverLimit} by default.
   */
  readonly search?: typeof findFilesOverLimit;
}

/** The limits of the service's process. */
export interface MembersLimits {
  readonly maxMemoryMb: number;
  readonly stallMs: number;
}

/**
 * The members of types in a workspace, from TypeScript's language service.
 *
 * The service starts at the first request, which may take longer than a request waits; then it is
 * ready for the next. It is started again after a crash, a few times. Where it exceeds a limit of
 * memory or time, it is started again without the files that cause it, until these change on the
 * disk.
 */
export class TypeScriptMembers implements AsyncDisposable {
  readonly #options: Required<TypeScriptMembersOptions>;
  #service: ReturnType<Required<TypeScriptMembersOptions>["open"]> | undefined;
  #starts = 0;
  #leftOut: LeftOutFiles = new Map();
  /** Requests run one after the other: each has its own text of the file. */
  #queue = new SerialQueue();
  /** Whether a request is running whose caller has timed out. */
  #isOverdue = false;

  constructor(options: TypeScriptMembersOptions) {
    const open: Required<TypeScriptMembersOptions>["open"] = (root, limits) => new TypeScriptService({ root, limits });
    this.#options = { open, search: findFilesOverLimit, ...options };
  }

  /**
   * The member source for the file at `path`, from the root; `undefined` for a file that is neither
   * TypeScript nor JavaScript.
   */
  sourceFor(path: string): MemberSource | undefined {
    if (!/\.[cm]?[jt]sx?$/i.test(path)) return undefined;
    return { membersBetween: (before, behind) => this.#withTimeout(path, before, behind) };
  }

  /** Notifies that these files, from the root, have changed on the disk. */
  changed(paths: readonly string[]): void {
    this.#leftOut = new Map([...this.#leftOut].filter(([path]) => !paths.includes(path)));
    const service = this.#service;
    if (service === undefined || paths.length === 0) return;
    const { root } = this.#options;
    const texts = new Map(paths.map((path) => [joinPath(root, path), undefined]));
    // Ignore the error: the next request reports it.
    this.#queue.run(() => service.update(texts)).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Prevents that the service is started again.
    this.#starts = Number.POSITIVE_INFINITY;
    await this.#service?.close();
    this.#service = undefined;
  }

  async #withTimeout(path: string, before: string, behind: string): Promise<MemberAnswer> {
    const { clock, timeoutMs } = this.#options;
    // After one timeout the service is known to be slow now: the next dots of the same answer do
    // not wait again.
    if (this.#isOverdue) return { kind: "unknown", why: "TypeScript is still busy" };
    let isLate = false;
    const pending = this.#queue.run(async () => {
      // A request whose caller has timed out is not sent.
      const answer = isLate ? undefined : await this.#request(path, before, behind);
      this.#isOverdue = false;
      return answer;
    });
    const answer = await resultWithin(pending, { clock, limitMs: timeoutMs });
    if (answer !== undefined) return answer;
    isLate = true;
    this.#isOverdue = true;
    return { kind: "unknown", why: `TypeScript did not answer within ${timeoutMs} ms` };
  }

  async #request(path: string, before: string, behind: string): Promise<MemberAnswer> {
    const file = joinPath(this.#options.root, path);
    // Any name makes it a member access, whatever follows.
    const text = `${before}${placeholder}${behind}`;
    const excess = this.#leftOut.get(path);
    if (excess !== undefined) return { kind: "unknown", why: printLeftOut(new Map([[path, excess]])) };
    try {
      const service = this.#open();
      const hidden = Array.from(this.#leftOut.keys(), (path) => [joinPath(this.#options.root, path), null] as const);
      await service.update(new Map([...hidden, [file, text]]));
      return await service.memberNames(file, before.length);
    } catch (error) {
      if (!(error instanceof EmendError)) throw error;
      if (error.code === "typescript-failed") this.#service = undefined;
      if (excessOf(error) !== undefined) await this.#restart(path, text);
      return { kind: "unknown", why: error.message };
    }
  }

  /** Lets the next request start the service again, without the files that caused its end. */
  async #restart(path: string, text: string): Promise<void> {
    this.#service = undefined;
    const { root, search } = this.#options;
    const compilerOptions = { target: "es2022", module: "esnext", moduleResolution: "bundler", noEmit: true };
    const found = await search({
      ...{ root, limits: this.#limits, leftOut: this.#leftOut, suspects: [path] },
      files: filesWithTexts(filesOfDisk, new Map([[joinPath(root, path), text]])),
      // The file's project is one of the workspace's.
      configOf: async () => JSON.stringify({ compilerOptions, include: ["**/*"], files: [path] }),
    }).catch((): LeftOutFiles => new Map());
    if (found.size === 0) return;
    this.#leftOut = new Map([...this.#leftOut, ...found]);
    if (this.#leftOut.size <= maxLeftOut) this.#starts -= 1;
  }

  get #limits(): MembersLimits {
    return { maxMemoryMb: this.#options.maxMemoryMb(), stallMs };
  }

  #open() {
    if (this.#service === undefined) {
      if (this.#starts >= maxStarts) {
        throw new EmendError("typescript-failed", "The TypeScript service ended too often to be started again.");
      }
      this.#starts += 1;
      this.#service = this.#options.open(this.#options.root, this.#limits);
    }
    return this.#service;
  }
}

const placeholder = "_";

/**
 * How often the service is started in a session, besides the times after which files are left out.
 */
const maxStarts = 3;

/** The most left out files before starts are counted again. */
const maxLeftOut = 8;

/** How long the service may be unresponsive during a request, in milliseconds. */
const stallMs = 10_000;
