import { homedir } from "node:os";
import { getOrInsert } from "../../text/index.ts";
import { runProgram } from "../../workspace/node/index.ts";
import { withoutKeys } from "../mask-secrets.ts";
import type { CommandKey } from "../model-host.ts";

/** What commands that print keys run with. */
export interface KeyCommandsOptions {
  /** The environment, of which a command gets all but the variables of keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The most milliseconds that a command may take; default: 10,000. */
  readonly timeoutMs?: number;
}

/**
 * Runs commands of the user that print keys: each at the first request that needs its key, and
 * without a shell. Keys are kept in memory only.
 *
 * A failure is kept for 30 seconds, so that a password manager does not open at every request.
 */
export class KeyCommands {
  readonly #options: KeyCommandsOptions;
  readonly #keys = new Map<string, Promise<CommandKey>>();

  constructor(options: KeyCommandsOptions) {
    this.#options = options;
  }

  /** The first line that a program with its arguments prints; never rejects. */
  keyOf(command: readonly string[]): Promise<CommandKey> {
    const id = JSON.stringify(command);
    return getOrInsert(this.#keys, id, () =>
      this.#run(command).then((key) => {
        if (key.kind === "failed") setTimeout(() => this.#keys.delete(id), failureMs).unref();
        return key;
      }),
    );
  }

  async #run([program = "", ...args]: readonly string[]): Promise<CommandKey> {
    const { environment, timeoutMs = 10_000 } = this.#options;
    const end = await runProgram({
      command: { program, args },
      // Not the workspace: nothing in it may be run instead.
      folder: homedir(),
      environment: withoutKeys(environment),
      ...{ timeoutMs, maxBytes: 64 * 1024, keeps: "head", leavesNothing: true },
    });
    const failed = (why: string): CommandKey => ({ kind: "failed", why: `\`${program}\` ${why}` });
    if (end.kind === "timed-out") return failed(`took longer than ${timeoutMs / 1000} s`);
    if (end.kind === "killed") return failed(`was ended by ${end.by}`);
    if (end.kind === "not-started") return failed("could not be started");
    if (end.exitCode !== 0) return failed(`exited with ${end.exitCode}`);
    const key = end.output.split(/\r?\n/, 1)[0]!.trim();
    return key === "" ? failed("printed nothing in its first line") : { kind: "key", key };
  }
}

const failureMs = 30_000;
