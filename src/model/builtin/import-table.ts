import { getOrInsert } from "../../text/index.ts";
import { folderOf, isRelative, relativePath, resolvedPath } from "../../workspace/index.ts";
import { isNewline, TokenKind } from "./token.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * From where names are imported, and which files export them, in JavaScript and TypeScript.
 *
 * A relative path is ambiguous away from its file, so targets are kept as paths from the
 * workspace's root and written again for the importing file.
 */
export class ImportTable {
  /**
   * For each name, its targets and how often each was seen: `/src/html` for a file, `react` for a
   * package.
   */
  readonly #targets = new Map<string, Map<string, number>>();
  /** What is counted when the table is used, by path: most requests are not in an import. */
  readonly #later = new Map<string, () => void>();

  /**
   * Counts the file at `path` with `count` when the table is used first, or the file is settled.
   * Until then its tokens must stay.
   */
  countLater(path: string, count: () => void): void {
    this.#later.set(path, count);
  }

  /** Counts what was left for later of the file at `path`, or of all files. */
  settle(path?: string): void {
    const left = path === undefined ? [...this.#later] : [[path, this.#later.get(path)] as const];
    for (const [one, count] of left) {
      this.#later.delete(one);
      count?.();
    }
  }

  /**
   * Learns (`by` 1) or forgets (`by` -1) the imports and exports among `tokens[start, end)` of the
   * file at `path`.
   */
  count(vocabulary: Vocabulary, tokens: Int32Array, start: number, end: number, path: string, by: 1 | -1): void {
    if (!isScript(path)) return;
    this.settle(path);
    const word = (text: string): number => vocabulary.get(text, 0, text.length, TokenKind.name);
    const importId = word("import");
    const exportId = word("export");
    let lineStart = true;
    for (let place = start; place < end; place++) {
      const id = tokens[place]! >> 2;
      if (lineStart && (id === importId || id === exportId)) {
        const clause = readClause(vocabulary, tokens, place, end);
        if (clause !== undefined) {
          const target = resolveSpecifier(clause.specifier, path);
          if (target !== undefined) for (const name of clause.names) this.#add(name, target, by);
        } else if (id === exportId) {
          const name = exportedName(vocabulary, tokens, place, end);
          if (name !== undefined) this.#add(name, `/${withoutExtension(path)}`, by);
        }
      }
      lineStart = isNewline(id);
    }
  }

  /** Whether any file exports or imports `name`. */
  has(name: string): boolean {
    this.settle();
    return this.#targets.has(name);
  }

  /**
   * How a file at `path` would import `names`: specifiers with their share of the votes, best
   * first.
   */
  specifiers(names: readonly string[], path: string): { readonly text: string; readonly share: number }[] {
    this.settle();
    const votes = new Map<string, number>();
    let total = 0;
    for (const name of names) {
      for (const [target, count] of this.#targets.get(name) ?? []) {
        const text = writeSpecifier(target, path);
        if (text === undefined) continue;
        votes.set(text, (votes.get(text) ?? 0) + count);
        total += count;
      }
    }
    return [...votes]
      .map(([text, count]) => ({ text, share: count / total }))
      .sort((a, b) => b.share - a.share || (a.text < b.text ? -1 : 1))
      .slice(0, 8);
  }

  #add(name: string, target: string, by: 1 | -1): void {
    const targets = getOrInsert(this.#targets, name, () => new Map());
    const count = (targets.get(target) ?? 0) + by;
    if (count > 0) targets.set(target, count);
    else targets.delete(target);
    if (targets.size === 0) this.#targets.delete(name);
  }
}

function isScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** The names and the specifier of an import or a re-export that begins at `place`. */
function readClause(
  vocabulary: Vocabulary,
  tokens: Int32Array,
  place: number,
  end: number,
): { readonly names: string[]; readonly specifier: string } | undefined {
  const names: string[] = [];
  let depth = 0;
  for (let p = place + 1; p < end && p < place + 400; p++) {
    const id = tokens[p]! >> 2;
    const kind = vocabulary.kinds[id]!;
    const name = vocabulary.names[id]!;
    if (kind === TokenKind.newline && depth === 0) return undefined;
    if (kind === TokenKind.open) {
      if (name !== "{") return undefined;
      depth++;
    } else if (kind === TokenKind.close) depth--;
    else if (kind === TokenKind.quoteOpen) {
      const previous = vocabulary.names[tokens[p - 1]! >> 2];
      if (previous !== "from" && previous !== "import") return undefined;
      let specifier = "";
      for (p++; p < end && p < place + 440; p++) {
        const inner = tokens[p]! >> 2;
        if (vocabulary.kinds[inner] === TokenKind.quoteClose) return { names, specifier };
        specifier += vocabulary.names[inner]!;
      }
      return undefined;
    } else if (kind === TokenKind.name || (kind === TokenKind.keyword && !clauseWords.has(name))) names.push(name);
    else if (name === "=" || name === ";") return undefined;
  }
  return undefined;
}

/** Words of the syntax of imports, which are no names there. */
const clauseWords = new Set(["as", "default", "from", "import", "type", "typeof"]);

const declaring = new Set(
  "default async abstract declare const let var function class interface type enum namespace".split(" "),
);

/** The name that an `export const name …` declares. */
function exportedName(vocabulary: Vocabulary, tokens: Int32Array, place: number, end: number): string | undefined {
  for (let p = place + 1; p < end && p < place + 6; p++) {
    const id = tokens[p]! >> 2;
    const name = vocabulary.names[id]!;
    if (declaring.has(name)) continue;
    return vocabulary.kinds[id] === TokenKind.name && vocabulary.names[tokens[p - 1]! >> 2] !== "export"
      ? name
      : undefined;
  }
  return undefined;
}

function withoutExtension(path: string): string {
  return path.replace(/(\.d)?\.[cm]?[jt]sx?$/, "");
}

/**
 * A specifier as a target: relative ones become paths from the workspace's root that begin with
 * `/`, others stay as they are; `undefined` where it leads out of the workspace. `path` is the
 * importing file's, from the root, with `/`.
 */
export function resolveSpecifier(specifier: string, path: string): string | undefined {
  if (!isRelative(specifier)) return specifier;
  const target = resolvedPath(path, specifier);
  return target === undefined ? undefined : `/${target}`;
}

/**
 * The specifier by which a file at `path` reaches `target`; `undefined` when the target is the file
 * itself. A target that is no path from the root is returned unchanged.
 */
export function writeSpecifier(target: string, path: string): string | undefined {
  if (!target.startsWith("/")) return target;
  if (withoutExtension(target.slice(1)) === withoutExtension(path)) return undefined;
  return relativePath(folderOf(path), target.slice(1));
}
