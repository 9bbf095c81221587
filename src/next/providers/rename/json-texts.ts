import { parse } from "jsonc-parser";
import { deepPlaceInJson } from "../../../text/index.ts";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The most texts that are cached. */
const maxTexts = 500;

/**
 * A cache of the objects in JSON texts; comments are allowed. Each text is parsed once while it is
 * unchanged.
 */
export class JsonTexts {
  /** By path, the least recently used first. */
  readonly #known = new Map<string, { readonly text: string; readonly value: JsonObject | undefined }>();

  /** Returns the object in a text; `undefined` where it contains no object or nests too deeply. */
  of(path: string, text: string): JsonObject | undefined {
    const known = this.#known.get(path);
    this.#known.delete(path);
    const value =
      known?.text === text
        ? known.value
        : asObject(deepPlaceInJson(text) === undefined ? (parse(text) as unknown) : undefined);
    this.#known.set(path, { text, value });
    for (const [oldest] of this.#known) {
      if (this.#known.size <= maxTexts) break;
      this.#known.delete(oldest);
    }
    return value;
  }
}

/** Returns a value as an object; `undefined` where it is none. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}
