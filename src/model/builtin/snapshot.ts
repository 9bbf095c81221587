import { asciiJson, EmendError } from "../../text/index.ts";
import { farContexts } from "./context-walker.ts";
import { Corpus } from "./corpus.ts";
import { Knowledge } from "./knowledge.ts";
import type { TableBytes } from "./table-memory.ts";
import { Vocabulary, vocabularyTables } from "./vocabulary.ts";

/**
 * All that is learnt, as bytes that can be kept. The tables are views of what is in use: write them
 * before learning on.
 */
export interface Snapshot {
  /** JSON: what the tables mean. */
  readonly header: string;
  readonly tables: readonly Uint8Array[];
  /** All tokens, of which a request reads those around the places that it compares. */
  readonly tokens: TableBytes;
  /** Tables of which a request reads a few bytes at a time, so that they may stay on the disk. */
  readonly groups: readonly TableBytes[];
}

/** Changes whenever a token, a context or a table changes its meaning. */
const format = 5;

interface Header {
  readonly format: number;
  readonly contexts: readonly number[];
  readonly characters: number;
  readonly corpus: ReturnType<Corpus["describe"]>;
  /** The files in columns, which are smaller and quicker to read than rows. */
  readonly files: {
    readonly paths: readonly string[];
    readonly languages: readonly string[];
    readonly characters: readonly number[];
    readonly starts: readonly number[];
    readonly ends: readonly number[];
  };
}

/**
 * What is learnt, ready to be kept: the texts of the vocabulary are copied, the other tables are
 * views of what is in use. The links of `knowledge` are frozen by it: see `Corpus.freezeInParts`.
 */
export function toSnapshot(knowledge: Knowledge): Snapshot {
  const { vocabulary, corpus } = knowledge;
  const names = new TextEncoder().encode(vocabulary.names.join("\n"));
  const files = [...knowledge.files.values()];
  const header: Header = {
    format,
    contexts: farContexts,
    characters: knowledge.characters,
    corpus: corpus.describe(),
    files: {
      paths: [...knowledge.files.keys()],
      languages: files.map(({ language }) => language),
      characters: files.map(({ characters }) => characters),
      starts: files.map(({ region }) => region.start),
      ends: files.map(({ region }) => region.end),
    },
  };
  const { tables, ...onDisk } = corpus.tables();
  return { header: asciiJson(header), tables: [names, ...vocabulary.tables(), ...tables], ...onDisk };
}

/**
 * What was learnt when the snapshot was taken. Tables that have a buffer of their own are taken
 * over, not copied.
 *
 * Throws an {@link EmendError} with the code `snapshot-broken` for bytes of another format, or cut
 * short.
 */
export function fromSnapshot(snapshot: Snapshot): Knowledge {
  try {
    const header = JSON.parse(snapshot.header) as Header;
    if (header.format !== format || header.contexts.join() !== farContexts.join())
      throw new Error("it has another format");
    const [names, ...tables] = snapshot.tables;
    const vocabulary = Vocabulary.of(new TextDecoder().decode(names!).split("\n"), tables.slice(0, vocabularyTables));
    const corpus = Corpus.of(vocabulary, farContexts, header.corpus, {
      ...snapshot,
      tables: tables.slice(vocabularyTables),
    });
    const knowledge = new Knowledge(0, vocabulary, corpus);
    const { paths, languages, characters, starts, ends } = header.files;
    for (let i = 0; i < paths.length; i++) {
      const region = { start: starts[i]!, end: ends[i]! };
      if (!(region.end <= corpus.length)) throw new Error("a file lies outside its tables");
      knowledge.restore(paths[i]!, { language: languages[i]!, characters: characters[i]!, region });
    }
    return knowledge;
  } catch (cause) {
    throw new EmendError("snapshot-broken", "The kept index cannot be read; it will be learnt anew", { cause });
  }
}
