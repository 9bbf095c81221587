import { EmendError } from "../../../text/index.ts";
import type { AskWithin } from "../../engine/answer-within.ts";
import type { MemberPlace, MemberQuestion, MemberTarget, MemberTargets } from "../rename/member-targets.ts";
import type { ReferencesBefore } from "./references-before.ts";

/** The dependencies of {@link MemberReferences}. */
export interface MemberReferencesParts {
  /** Returns the references before the edits; `undefined` while no checker is open. */
  references(): ReferencesBefore | undefined;
  /** The time limit of a request. */
  readonly within: AskWithin;
}

/**
 * Decides by the references of a type checker which members are the renamed one: the member itself,
 * those that it overrides or implements, and those that override or implement these.
 *
 * The checker is queried for the texts before the edits, in which all references still have the old
 * name. {@link targetIn} resolves to `undefined` where no checker knows the file, on timeout and
 * when the checker fails; it rejects with the signal's reason.
 */
export class MemberReferences implements MemberTargets {
  readonly #parts: MemberReferencesParts;
  /**
   * The states of the texts in which a request timed out; they are not queried again, since each
   * query would take as long.
   */
  readonly #timedOut = new WeakSet<MemberQuestion["past"]>();

  constructor(parts: MemberReferencesParts) {
    this.#parts = parts;
  }

  async targetIn(
    question: MemberQuestion,
    { signal }: { readonly signal?: AbortSignal },
  ): Promise<MemberTarget | undefined> {
    const references = this.#parts.references();
    if (references?.types.knows(question.path) !== true || this.#timedOut.has(question.past)) return undefined;
    try {
      const target = await this.#parts.within(
        question.path,
        undefined,
        (stop) => targetIn(question, new TargetGraph(references, question, stop)),
        signal,
      );
      if (target === undefined) this.#timedOut.add(question.past);
      return target;
    } catch (error) {
      signal?.throwIfAborted();
      // A failing checker gives no answer; its owner reports the failure.
      if (error instanceof EmendError) return undefined;
      throw error;
    }
  }
}

async function targetIn({ path, origins }: MemberQuestion, graph: TargetGraph): Promise<MemberTarget> {
  const renamed = new Set<string>();
  let renamedCount = 0;
  for (const origin of origins) {
    const reached = await graph.reached(origin);
    // A use that the checker cannot resolve, such as a member of `any`.
    if (origin.isUse && reached.size === 1) continue;
    if (![...reached].some((key) => renamed.has(key))) renamedCount += 1;
    for (const key of reached) renamed.add(key);
  }
  const means = new Map<number, boolean>();
  for (const start of (await graph.targetsIn(path)).keys()) {
    const reached = await graph.reached({ path, start });
    means.set(
      start,
      [...reached].some((key) => renamed.has(key)),
    );
  }
  // A declaration has no references of its own.
  const isRenamed = (start: number) => renamed.has(keyOf({ path, start })) || means.get(start);
  return { renamedCount, of: (start) => (renamedCount === 0 ? undefined : isRenamed(start)) };
}

function keyOf({ path, start }: MemberPlace): string {
  return `${start} ${path}`;
}

/** The graph from the uses and declarations of one name to what they refer to or override. */
class TargetGraph {
  readonly #references: ReferencesBefore;
  readonly #question: MemberQuestion;
  readonly #signal: AbortSignal;
  readonly #targets = new Map<string, ReadonlyMap<number, readonly MemberPlace[]>>();

  constructor(references: ReferencesBefore, question: MemberQuestion, signal: AbortSignal) {
    this.#references = references;
    this.#question = question;
    this.#signal = signal;
  }

  /** Returns what the names in a file refer to or override, by their start offsets. */
  async targetsIn(path: string): Promise<ReadonlyMap<number, readonly MemberPlace[]>> {
    const known = this.#targets.get(path);
    if (known !== undefined) return known;
    const { name, past } = this.#question;
    const found = await this.#references.of(path, new Set([name]), past, { signal: this.#signal });
    const targets = new Map<number, MemberPlace[]>();
    for (const { start, targetPath, targetStart } of found?.references ?? []) {
      const places = targets.get(start) ?? [];
      places.push({ path: targetPath, start: targetStart });
      targets.set(start, places);
    }
    this.#targets.set(path, targets);
    return targets;
  }

  /** Returns the keys of a place and of everything reachable from it. */
  async reached(from: MemberPlace): Promise<ReadonlySet<string>> {
    const reached = new Set<string>();
    const open = [from];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const key = keyOf(place);
      if (reached.has(key)) continue;
      reached.add(key);
      open.push(...((await this.targetsIn(place.path)).get(place.start) ?? []));
    }
    return reached;
  }
}
