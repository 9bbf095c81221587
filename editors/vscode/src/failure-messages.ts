import type { EmendStatusParams } from "./protocol.ts";

type FailedModel = NonNullable<EmendStatusParams["failedModel"]>;

/**
 * Chooses the failures of models that become a message: the first of each kind of each model, and
 * each time that a server which has answered cannot be reached any more. Other kinds, such as a
 * prompt that is too long, may alternate with answers, so they are shown once.
 */
export class FailureMessages {
  readonly #shown = new Map<string, FailedModel["failure"]>();

  /** Takes the failing model of a status; returns it where a message is due. */
  take(failed: FailedModel | undefined): FailedModel | undefined {
    if (failed === undefined) {
      for (const [key, failure] of this.#shown) if (failure === "unreachable") this.#shown.delete(key);
      return undefined;
    }
    const key = `${failed.failure} ${failed.name}`;
    if (failed.isLoading || this.#shown.has(key)) return undefined;
    this.#shown.set(key, failed.failure);
    return failed;
  }
}
