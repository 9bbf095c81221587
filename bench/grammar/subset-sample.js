import { readFile } from "node:fs/promises";

const limit = 20;

export class Cache {
  #entries = new Map();
  static shared = new Cache(limit);

  constructor(size) {
    this.size = size;
  }

  get(key, make) {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    this.#entries.set(key, value);
    while (this.#entries.size > this.size) {
      for (const [first] of this.#entries) {
        this.#entries.delete(first);
        break;
      }
    }
    return value;
  }
}

export async function words(path, options = {}) {
  const text = await readFile(path, "utf8");
  const counts = {};
  for (const word of text.split(options.separator ?? " ")) {
    const name = word.trim();
    if (!name) continue;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return Object.entries(counts).map(([name, count]) => ({ name, count, share: count / text.length }));
}

export function describe(error) {
  switch (error.code) {
    case "missing":
      return `no file at ${error.path}`;
    default:
      return `${error.message}!`;
  }
}
