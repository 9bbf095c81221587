import { LRUCache } from "lru-cache";
import type { FileReferences, ParseCache, TypeCheckCache } from "../../../analysis/index.ts";
import type { AbortOptions } from "../../../async/index.ts";
import { isScript } from "../../../names/index.ts";
import { EmendError } from "../../../text/index.ts";
import type { TextOverlay } from "../../../workspace/index.ts";
import type { AskWithin } from "../../engine/answer-within.ts";
import type { MemberPlace, MemberQuestion, MemberTarget, MemberTargets } from "../rename/rename.ts";
import { seenByOthers } from "./affected-names.ts";

/**
 * A cache of what names of files refer to. An entry is computed again only where one of its inputs
 * changed: the text of the file, the texts of files that its names refer to, or the exported
 * surface of any other file. Types inferred from bodies are not followed. For names that are not in
 * the entry yet, only these are requested.
 *
 * The inputs are compared as texts, because a history that drops its oldest edit gives another past
 * with each key press, in which nearly all files are the same.
 */
export class ReferenceCache {
  readonly #states: Pick<ParseCache, "blocksOf">;
  /** Entries by path. */
  readonly #known = new LRUCache<string, KnownAnswer>({ max: maxFiles });

  constructor(states: Pick<ParseCache, "blocksOf">) {
    this.#states = states;
  }

  /**
   * Returns what the names of a file refer to with the texts of `past`, together with names
   * requested before. The result is the same object while no input changed and no name is new.
   * Rejects as `types` does.
   */
  async of(
    path: string,
    names: ReadonlySet<string>,
    past: TextOverlay,
    { types, signal }: { readonly types: TypeCheckCache; readonly signal?: AbortSignal | undefined },
  ): Promise<FileReferences> {
    const texts = types.snapshot(past);
    const last = this.#known.get(path);
    const isFew = last !== undefined && last.names.size <= maxNames;
    const known = isFew && last.types === types && this.#isAsBefore(path, last, texts) ? last : undefined;
    const newNames = new Set([...names].filter((name) => known?.names.has(name) !== true));
    let found = known?.found;
    if (found === undefined || newNames.size > 0) {
      const more = (await types.referencesWith(past, path, newNames, { signal })) ?? nothingIn(path);
      found = found === undefined ? more : joined(found, more);
    }
    this.#known.set(path, { types, texts, names: new Set([...(known?.names ?? []), ...newNames]), found });
    return found;
  }

  /** Drops the entry of a file, and with it the texts that the entry was computed with. */
  forget(path: string): void {
    this.#known.delete(path);
  }

  #isAsBefore(path: string, { types, texts, found }: KnownAnswer, now: TextOverlay): boolean {
    const meant = new Set([path, ...found.references.map(({ targetPath }) => targetPath)]);
    for (const [other, before, after] of types.otherFiles(texts, now)) {
      if (meant.has(other) || before === undefined || after === undefined || !isScript(other)) return false;
      if (this.#seen(other, before) !== this.#seen(other, after)) return false;
    }
    return true;
  }

  /** The exported surface of a text, with its imports and re-exports. */
  #seen(path: string, text: string): string {
    const blocks = this.#states.blocksOf(path, text);
    const modules = blocks.filter(({ kind }) => kind === "import" || kind === "export");
    const moduleTexts = modules.map(({ ownRange }) => text.slice(ownRange.start, ownRange.end));
    return [seenByOthers({ text, blocks }), ...moduleTexts].join("\n");
  }
}

/** Returns the result for a file of whose names nothing is known. */
export function nothingIn(path: string): FileReferences {
  return { path, references: [], unresolved: 0, precision: "types" };
}

/** Merges two results for one text. */
function joined(one: FileReferences, other: FileReferences): FileReferences {
  const all = new Map([...one.references, ...other.references].map((each) => [JSON.stringify(each), each] as const));
  const unresolved = new Map(
    [...(one.unresolvedMembers ?? []), ...(other.unresolvedMembers ?? [])].map((each) => [each.start, each] as const),
  );
  return {
    ...{ ...one, ...other },
    references: [...all.values()].sort((first, second) => first.start - second.start),
    ...(unresolved.size > 0 && {
      unresolvedMembers: [...unresolved.values()].sort((first, second) => first.start - second.start),
    }),
  };
}

/**
 * The number of cached files, and the number of names of a file above which its entry is computed
 * again.
 */
const maxFiles = 200;
const maxNames = 200;

interface KnownAnswer {
  readonly types: TypeCheckCache;
  /** All texts when the entry was computed. */
  readonly texts: TextOverlay;
  /** The names that were requested. */
  readonly names: ReadonlySet<string>;
  readonly found: FileReferences;
}

/** The dependencies of {@link MemberReferences}. */
interface MemberReferencesParts {
  /** The cache of the checker; `undefined` while none is open. */
  types(): TypeCheckCache | undefined;
  /** The time limit of a request. */
  readonly within: AskWithin;
}

/**
 * Decides by the references of a type checker which members are the renamed one: the member itself,
 * those that it overrides or implements, and those that override or implement these.
 *
 * The checker is queried for the texts before the edits, in which all references still have the old
 * name.
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

  /**
   * Finds which members of a file are the renamed one. Resolves to `undefined` where no checker
   * knows the file, on timeout and when the checker fails. Rejects with the signal's reason on
   * abort.
   */
  async targetIn(question: MemberQuestion, { signal }: AbortOptions): Promise<MemberTarget | undefined> {
    const types = this.#parts.types();
    if (types?.knows(question.path) !== true || this.#timedOut.has(question.past)) return undefined;
    try {
      const target = await this.#parts.within(
        question.path,
        undefined,
        (stop) => targetIn(question, new TargetGraph(types, question, stop)),
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
  readonly #types: TypeCheckCache;
  readonly #question: MemberQuestion;
  readonly #signal: AbortSignal;
  readonly #targets = new Map<string, ReadonlyMap<number, readonly MemberPlace[]>>();

  constructor(types: TypeCheckCache, question: MemberQuestion, signal: AbortSignal) {
    this.#types = types;
    this.#question = question;
    this.#signal = signal;
  }

  /** Returns what the names in a file refer to or override, by their start offsets. */
  async targetsIn(path: string): Promise<ReadonlyMap<number, readonly MemberPlace[]>> {
    const known = this.#targets.get(path);
    if (known !== undefined) return known;
    const { name, past } = this.#question;
    const found = await this.#types.referencesWith(past, path, new Set([name]), { signal: this.#signal });
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
