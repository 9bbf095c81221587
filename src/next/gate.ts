import { type AccessVerdict, trySwitchedOff } from "../complete/index.ts";
import type { NextSilence } from "./outcome.ts";
import type { NextEditRequest } from "./request.ts";
import type { NextEditSettings } from "./settings.ts";

/** Whether a request may be answered at all, before anything is looked at but its size and its file's name. */
export function refuseRequest(
  { document, path, trigger }: NextEditRequest,
  access: (path: string) => AccessVerdict,
  { maxDocumentCharacters: limit, switches }: NextEditSettings,
): NextSilence | undefined {
  const { length } = document.text;
  if (length > limit) return { kind: "too-large", characters: length, limit };
  const verdict = access(path);
  if (verdict.kind === "secret") return { kind: "secret-file", path };
  if (verdict.kind === "ignored") return { kind: "ignored-file", path, by: verdict.by };
  if (trigger === "invoked") return undefined;
  const setting = trySwitchedOff(path, document.language, switches);
  return setting === undefined ? undefined : { kind: "language-off", language: document.language, setting };
}
