import { ErrorCodes, ResponseError } from "vscode-languageserver";

/** What a member of a message may be. */
export type ParamKind = "text" | "position" | "list";

/**
 * Throws a `ResponseError` `InvalidParams` that names the first member that `params` lacks, or that is of another kind.
 *
 * `wanted` names members by their paths: `textDocument.uri`. Behind a name with a `?`, as in `range?.start`, nothing is
 * wanted where that member is absent or `null`.
 */
export function checkParams(what: string, params: unknown, wanted: Readonly<Record<string, ParamKind>>): void {
  for (const [path, kind] of Object.entries(wanted)) {
    if (fits(params, path.split("."), kind)) continue;
    const message = `${what} wants \`${path.replaceAll("?", "")}\`, which is ${kindNames[kind]}.`;
    throw new ResponseError<void>(ErrorCodes.InvalidParams, message);
  }
}

const kindNames: Readonly<Record<ParamKind, string>> = {
  text: "a text",
  position: "a position: `line` and `character` are numbers",
  list: "a list",
};

function fits(params: unknown, names: readonly string[], kind: ParamKind): boolean {
  let value = params;
  for (const name of names) {
    value = isObject(value) ? value[name.replace("?", "")] : undefined;
    if (value == null && name.endsWith("?")) return true;
  }
  if (kind === "text") return typeof value === "string";
  return kind === "list" ? Array.isArray(value) : isPosition(value);
}

/** Whether it is a position of the protocol. That it is one of the text is asked elsewhere: what is out of date is moved. */
export function isPosition(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { line, character } = value as { readonly line?: unknown; readonly character?: unknown };
  return typeof line === "number" && typeof character === "number";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
