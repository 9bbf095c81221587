import { type Clock, joinPath } from "../../codebase/index.ts";
import { TypeScriptService } from "../../codebase/node/index.ts";
import type { MemberAnswer, MemberSource } from "../../grammar/index.ts";
import { EmendError } from "../../text/index.ts";

/** How {@link TypeScriptMembers} are opened. */
export interface TypeScriptMembersOptions {
  /** The absolute folder of the workspace. */
  readonly root: string;
  readonly clock: Clock;
  /** The most milliseconds that one question may wait. */
  readonly timeoutMs: number;
  /** Opens the service for a folder; the one that ships unless told. */
  readonly open?: (root: string) => Pick<TypeScriptService, "update" | "memberNames" | "close">;
}

/**
 * The members of types in a workspace, as TypeScript's service tells them.
 *
 * The service is started when it is first asked, which may take longer than a question waits: then it is ready for the next. Where it
 * ends by itself it is started anew, a few times.
 */
export class TypeScriptMembers implements AsyncDisposable {
  readonly #options: Required<TypeScriptMembersOptions>;
  #service: ReturnType<Required<TypeScriptMembersOptions>["open"]> | undefined;
  #starts = 0;
  /** Questions are asked one after the other: each has its own text of the file. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Whether a question is under way that nobody waits for any more. */
  #isLagging = false;

  constructor({ open = (root) => new TypeScriptService({ root }), ...options }: TypeScriptMembersOptions) {
    this.#options = { ...options, open };
  }

  /** Who knows the members in the file at `path`, from the root; `undefined` of a file that is neither TypeScript nor JavaScript. */
  sourceFor(path: string): MemberSource | undefined {
    if (!/\.[cm]?[jt]sx?$/i.test(path)) return undefined;
    return { membersBetween: (before, behind) => this.#inTime(path, before, behind) };
  }

  /** Tells that these files, from the root, are others on the disk now. */
  changed(paths: readonly string[]): void {
    const service = this.#service;
    if (service === undefined || paths.length === 0) return;
    const { root } = this.#options;
    const texts = new Map(paths.map((path) => [joinPath(root, path), undefined]));
    // Whoever asks next hears of a failure.
    this.#turn = this.#turn.then(() => service.update(texts)).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#starts = maxStarts;
    await this.#service?.close();
    this.#service = undefined;
  }

  async #inTime(path: string, before: string, behind: string): Promise<MemberAnswer> {
    const { clock, timeoutMs } = this.#options;
    // Whoever waited once knows that it is slow now: an answer with many dots is not held up by each of them.
    if (this.#isLagging) return { kind: "unknown", why: "TypeScript is still busy" };
    let isLate = false;
    let timer: Disposable | undefined;
    const late = new Promise<MemberAnswer>((resolve) => {
      timer = clock.after(timeoutMs, () => {
        isLate = true;
        this.#isLagging = true;
        resolve({ kind: "unknown", why: `TypeScript did not answer within ${timeoutMs} ms` });
      });
    });
    // What nobody waits for any more is not asked.
    const asked = this.#turn.then(() => (isLate ? late : this.#ask(path, before, behind)));
    this.#turn = asked.then(() => {
      this.#isLagging = false;
    });
    const answer = await Promise.race([asked, late]);
    timer?.[Symbol.dispose]();
    return answer;
  }

  async #ask(path: string, before: string, behind: string): Promise<MemberAnswer> {
    const file = joinPath(this.#options.root, path);
    try {
      const service = this.#open();
      // Any name makes a member of it, whatever stands behind it.
      await service.update(new Map([[file, `${before}${placeholder}${behind}`]]));
      return await service.memberNames(file, before.length);
    } catch (error) {
      if (!(error instanceof EmendError)) throw error;
      if (error.code === "typescript-failed") this.#service = undefined;
      return { kind: "unknown", why: error.message };
    }
  }

  #open() {
    if (this.#service === undefined) {
      if (this.#starts >= maxStarts) {
        throw new EmendError("typescript-failed", "The TypeScript service ended too often to be started again.");
      }
      this.#starts += 1;
      this.#service = this.#options.open(this.#options.root);
    }
    return this.#service;
  }
}

const placeholder = "_";

/** How often the service is started in one session. */
const maxStarts = 3;
