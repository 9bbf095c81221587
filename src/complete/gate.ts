import { languageById, plaintext, Structure } from "../syntax/index.ts";
import type { DocumentRefusal, NoSuggestionReason } from "./outcome.ts";
import type { Place } from "./place.ts";
import type { GhostTextRequest } from "./request.ts";
import type { GhostTextSettings } from "./settings.ts";
import { trySwitchedOff } from "./switched-off.ts";

/** Whether a file may be looked at, as the host's ignore rules and list of secret files say. */
export type AccessVerdict =
  | { readonly kind: "allowed" }
  /** It holds keys or passwords. */
  | { readonly kind: "secret" }
  /** `by` names what ignores it, such as `.copilotignore:3: *.log`. */
  | { readonly kind: "ignored"; readonly by: string };

/**
 * Returns why a request is not answered, before anything is read but the document's size and its
 * path; `undefined` where it may be. For an invoked request only the largest size and `access`
 * count, for an automatic one also the switches.
 */
export function refuseDocument(
  { document, path, trigger }: Pick<GhostTextRequest, "document" | "path" | "trigger">,
  access: (path: string) => AccessVerdict,
  { maxDocumentCharacters: limit, switches }: Pick<GhostTextSettings, "maxDocumentCharacters" | "switches">,
): DocumentRefusal | undefined {
  const { length } = document.text;
  if (length > limit) return { kind: "too-large", characters: length, limit };
  const verdict = access(path);
  if (verdict.kind === "secret") return { kind: "secret-file", path };
  if (verdict.kind === "ignored") return { kind: "ignored-file", path, by: verdict.by };
  if (trigger === "invoked") return undefined;
  const { language } = document;
  const setting = trySwitchedOff(path, language, switches);
  return setting === undefined ? undefined : { kind: "language-off", language, setting };
}

/**
 * Returns why automatic ghost text is not allowed at the cursor: the document is too short, more
 * than closers and a separator follow on its line, or comments or strings are switched off.
 * `undefined` where it is allowed, and always for an invoked request.
 */
export function refusePlace(place: Place, settings: GhostTextSettings): NoSuggestionReason | undefined {
  if (place.trigger === "invoked") return undefined;
  const needed = settings.minDocumentCharacters;
  const characters = place.prefix.length + place.suffix.length;
  if (characters < needed) return { kind: "too-little-context", characters, needed };
  if (!endsLine.test(place.rest.trim())) return { kind: "mid-line", rest: place.rest.trim().slice(0, maxShown) };
  if (settings.comments && settings.strings) return undefined;
  const text = place.prefix + place.suffix;
  const kind = Structure.of(text, languageById(place.language) ?? plaintext).regionAt(place.prefix.length)?.kind;
  if (kind === "comment" && !settings.comments) return { kind: "in-comment" };
  if (kind === "string" && !settings.strings) return { kind: "in-string" };
  return undefined;
}

/** How much of the rest of a line is reported, in UTF-16 units. */
const maxShown = 100;

/**
 * What may follow the cursor on its line, but for blanks: closers, and one sign that continues
 * behind them.
 */
const endsLine = /^[)\]}>"'`]*[ \t]*[:{;,]?$/;
