import { parse } from "jsonc-parser";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** How many texts are remembered. */
const maxTexts = 500;

/** The objects of JSON texts, comments allowed, each read once while its text stays. Memory is bounded. */
export class JsonTexts {
  /** By path; the longest not asked for first. */
  readonly #known = new Map<string, { readonly text: string; readonly value: JsonObject | undefined }>();

  /** What a text says; `undefined` where it is no object. */
  of(path: string, text: string): JsonObject | undefined {
    const known = this.#known.get(path);
    this.#known.delete(path);
    const value = known?.text === text ? known.value : asObject(parse(text) as unknown);
    this.#known.set(path, { text, value });
    for (const [oldest] of this.#known) {
      if (this.#known.size <= maxTexts) break;
      this.#known.delete(oldest);
    }
    return value;
  }
}

/** A value as an object; `undefined` where it is none. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}
