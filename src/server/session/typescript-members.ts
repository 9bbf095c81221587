import type { TypeCheckCache } from "../../analysis/index.ts";
import { type Clock, resultWithin, SerialQueue } from "../../async/index.ts";
import type { MemberAnswer, MemberSource } from "../../grammar/index.ts";
import { EmendError } from "../../text/index.ts";

/** The options of {@link TypeScriptMembers}. */
export interface TypeScriptMembersOptions {
  /**
   * The types that know the file at a path; `undefined` where none do. May take longer than a
   * request waits, and is ready for a later one then.
   */
  readonly typesFor: (path: string) => Promise<TypeCheckCache | undefined>;
  readonly clock: Clock;
  /** The most milliseconds that a request may wait. */
  readonly timeoutMs: number;
}

/** The members of types in a workspace, by its type checker. */
export class TypeScriptMembers {
  readonly #options: TypeScriptMembersOptions;
  /** Requests run one after the other: each has its own text of the file. */
  readonly #queue = new SerialQueue();
  /** Whether a request is running whose caller has timed out. */
  #isOverdue = false;

  constructor(options: TypeScriptMembersOptions) {
    this.#options = options;
  }

  /**
   * The member source for the file at `path`, from the root; `undefined` for a file that is neither
   * TypeScript nor JavaScript.
   */
  sourceFor(path: string): MemberSource | undefined {
    if (!/\.[cm]?[jt]sx?$/i.test(path)) return undefined;
    return { membersBetween: (before, behind) => this.#withTimeout(path, before, behind) };
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
    // Any name makes it a member access, whatever follows.
    const text = `${before}${placeholder}${behind}`;
    try {
      const types = await this.#options.typesFor(path);
      if (types?.knows(path) !== true) return { kind: "unknown", why: `TypeScript has no types for ${path}` };
      return await types.membersWith(new Map([[path, text]]), path, before.length);
    } catch (error) {
      if (!(error instanceof EmendError)) throw error;
      return { kind: "unknown", why: error.message };
    }
  }
}

const placeholder = "_";
