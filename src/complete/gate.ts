import { languageById, plaintext, Structure } from "../syntax/index.ts";
import type { AccessVerdict } from "./access.ts";
import type { NoSuggestionReason } from "./outcome.ts";
import type { Place } from "./place.ts";
import type { GhostTextRequest } from "./request.ts";
import type { GhostTextSettings } from "./settings.ts";
import { trySwitchedOff } from "./switched-off.ts";

/**
 * Whether a request may be answered at all, before anything is looked at but its size and its
 * file's name.
 */
export function refuseDocument(
  { document, path, trigger }: GhostTextRequest,
  access: (path: string) => AccessVerdict,
  settings: GhostTextSettings,
): NoSuggestionReason | undefined {
  const { length } = document.text;
  const limit = settings.maxDocumentCharacters;
  if (length > limit) return { kind: "too-large", characters: length, limit };
  const verdict = access(path);
  if (verdict.kind === "secret") return { kind: "secret-file", path };
  if (verdict.kind === "ignored") return { kind: "ignored-file", path, by: verdict.by };
  if (trigger === "invoked") return undefined;
  const { language } = document;
  const setting = trySwitchedOff(path, language, settings.switches);
  if (setting !== undefined) return { kind: "language-off", language, setting };
  const needed = settings.minDocumentCharacters;
  return length < needed ? { kind: "too-little-context", characters: length, needed } : undefined;
}

/** Whether automatic ghost text is allowed at the cursor. */
export function refusePlace(place: Place, settings: GhostTextSettings): NoSuggestionReason | undefined {
  if (place.trigger === "invoked") return undefined;
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
