import { type NameQuestion, NameTable } from "../../names/index.ts";
import { IsolatedProcess } from "../../syntax/node/index.ts";

/** A part of a name table; the lists of all parts, concatenated, are those of the table. */
export type NamePart = Partial<ConstructorParameters<typeof NameTable>[0]>;

/**
 * The time limit for one text, in milliseconds. A text of 2 million characters takes about 2
 * seconds.
 */
const timeoutMs = 8_000;

/**
 * The items of a list that are sent at a time, so that reading them blocks the thread for a few
 * milliseconds only.
 */
const itemsAtATime = 2_000;

const lists = ["uses", "bindings", "scopes", "owners", "passedOn", "moduleNames", "comments"] as const;

/**
 * Reads the names of long texts in a process of its own, which is ended where one takes too long.
 * Its owner disposes it.
 */
export class NamesApart implements Disposable {
  readonly #process = new IsolatedProcess<NameQuestion, NamePart>({
    module: new URL(`./names-process${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url),
    timeoutMs,
  });

  /** Returns the name table of a text; `undefined` where it cannot be read. */
  async read(question: NameQuestion): Promise<NameTable | undefined> {
    const answer = await this.#process.ask(question);
    return answer.kind === "answered" && answer.parts.length > 0 ? tableOf(answer.parts) : undefined;
  }

  [Symbol.dispose](): void {
    this.#process[Symbol.dispose]();
  }
}

/** Yields a table in parts of at most 2,000 items, the first of them empty. */
export function* partsOf(table: NameTable): Generator<NamePart> {
  yield {};
  for (const name of lists) {
    for (let at = 0; at < table[name].length; at += itemsAtATime) {
      yield { [name]: table[name].slice(at, at + itemsAtATime) };
    }
  }
}

/** Returns the table that {@link partsOf} split. */
export function tableOf(parts: readonly NamePart[]): NameTable {
  const all = Object.fromEntries(
    lists.map((name) => [name, parts.flatMap((part): readonly unknown[] => part[name] ?? [])]),
  );
  return new NameTable(all as unknown as ConstructorParameters<typeof NameTable>[0]);
}
