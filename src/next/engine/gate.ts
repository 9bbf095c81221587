import { type AccessVerdict, trySwitchedOff } from "../../complete/index.ts";
import { holdsPrivateKey } from "../../workspace/index.ts";
import type { NoNextEditReason } from "./outcome.ts";
import type { NextEditRequest } from "./request.ts";
import type { NextEditSettings } from "./settings.ts";

/**
 * Returns why a request must not be answered, or `undefined` where it may. Looks only at the
 * document's size, whether its path may be read, whether it contains a private key, and, unless the
 * request is invoked, the switches for its path and language.
 */
export function refuseRequest(
  { document, path, trigger }: NextEditRequest,
  access: (path: string) => AccessVerdict,
  { maxDocumentCharacters: limit, switches }: NextEditSettings,
): NoNextEditReason | undefined {
  const { length } = document.text;
  if (length > limit) return { kind: "too-large", characters: length, limit };
  const verdict = access(path);
  if (verdict.kind === "secret" || holdsPrivateKey(document.text)) return { kind: "secret-file", path };
  if (verdict.kind === "ignored") return { kind: "ignored-file", path, by: verdict.by };
  if (trigger === "invoked") return undefined;
  const setting = trySwitchedOff(path, document.language, switches);
  return setting === undefined ? undefined : { kind: "language-off", language: document.language, setting };
}
