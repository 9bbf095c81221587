import { tryAllowedAt } from "./config-keys.ts";
import type { JsonSchema } from "./json-schema.ts";

/**
 * A setting that was written as text, in a variable or behind a flag, as the value that its key
 * wants.
 *
 * Lists are separated by commas; `on`, `yes` and `1` are true. What cannot be read stays text, for
 * the check to refuse.
 */
export function readText(text: string, path: readonly string[]): unknown {
  const trimmed = text.trim();
  for (const node of choicesOf(tryAllowedAt(path))) {
    if (node.type === "boolean") {
      if (/^(true|on|yes|1)$/i.test(trimmed)) return true;
      if (/^(false|off|no|0)$/i.test(trimmed)) return false;
    }
    if ((node.type === "integer" || node.type === "number") && trimmed !== "" && Number.isFinite(Number(trimmed))) {
      return Number(trimmed);
    }
    if (node.type === "array" && trimmed.includes(",")) {
      return trimmed
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "");
    }
  }
  return trimmed;
}

/** Whether a key can be written as text. */
export function takesText(path: readonly string[]): boolean {
  return choicesOf(tryAllowedAt(path)).some(
    ({ type, enum: choices }) => choices !== undefined || (type !== undefined && type !== "object"),
  );
}

function choicesOf(node: JsonSchema | undefined): readonly JsonSchema[] {
  return node === undefined ? [] : (node.anyOf ?? [node]);
}
