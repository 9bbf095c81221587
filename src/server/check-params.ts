import { ErrorCodes, ResponseError } from "vscode-languageserver";
import { isRecord } from "../text/index.ts";

/**
 * The kinds of message members that {@link checkParams} checks for: a string, a position or an
 * array.
 */
export type ParamKind = "text" | "position" | "list";

/**
 * Checks that `params` has the members that `required` names, each of its kind. Throws a
 * `ResponseError` with the code `InvalidParams` for the first that is missing or of another kind.
 *
 * Members are named by their paths: `textDocument.uri`. A `?` behind a name, as in `range?.start`,
 * makes it optional: nothing is checked where that member is absent or `null`.
 */
export function checkParams(what: string, params: unknown, required: Readonly<Record<string, ParamKind>>): void {
  for (const [path, kind] of Object.entries(required)) {
    if (fits(params, path.split("."), kind)) continue;
    const message = `${what} requires \`${path.replaceAll("?", "")}\`, which is ${kindNames[kind]}.`;
    throw new ResponseError<void>(ErrorCodes.InvalidParams, message);
  }
}

const kindNames: Readonly<Record<ParamKind, string>> = {
  text: "a string",
  position: "a position: `line` and `character` are numbers",
  list: "a list",
};

function fits(params: unknown, names: readonly string[], kind: ParamKind): boolean {
  let value = params;
  for (const name of names) {
    value = isRecord(value) ? value[name.replace("?", "")] : undefined;
    if (value == null && name.endsWith("?")) return true;
  }
  if (kind === "text") return typeof value === "string";
  return kind === "list" ? Array.isArray(value) : isPosition(value);
}

/**
 * Whether `value` is a position of the protocol. Whether the text has that position is not checked:
 * {@link Positions} moves positions outside of a text into it.
 */
export function isPosition(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { line, character } = value as { readonly line?: unknown; readonly character?: unknown };
  return typeof line === "number" && typeof character === "number";
}
