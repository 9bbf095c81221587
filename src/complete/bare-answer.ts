import { languageById, plaintext, Structure } from "../syntax/index.ts";
import type { SuggestionChange } from "./outcome.ts";
import type { Place } from "./place.ts";
import { nearContext } from "./trim.ts";

/** A model's text without what it has put around it, and what was taken off. */
export interface BareAnswer {
  readonly text: string;
  readonly changes: readonly SuggestionChange[];
}

/**
 * What a model wrote for a place, without the fence of Markdown around it and without the line before the cursor said
 * again in front of it. `text` has `\n` only; once it `isWhole` no more of it comes.
 */
export function bareAnswer(
  text: string,
  place: Pick<Place, "prefix" | "suffix" | "lineBefore" | "language">,
  _isWhole: boolean,
): BareAnswer {
  const changes: SuggestionChange[] = [];
  const inside = withoutFence(text, place);
  if (inside !== text) changes.push("cut-fence");
  const bare = withoutEcho(inside, place.lineBefore);
  if (bare !== inside) changes.push("cut-echo");
  return { text: bare, changes };
}

/** What stands in the fence a text begins with, if it is none that belongs there: in comments and strings it may. */
function withoutFence(text: string, place: Pick<Place, "prefix" | "language">): string {
  const fence = /^\s*```[ \t]*[\w+#.-]*[ \t]*(?:\n|$)/.exec(text);
  if (fence === null || place.language === "markdown") return text;
  const context = nearContext(place);
  const region = Structure.of(context, languageById(place.language) ?? plaintext).regionAt(context.length);
  if (region !== undefined && region.kind !== "text") return text;
  const inside = text.slice(fence[0].length);
  const end = inside.search(/^[ \t]*```[ \t]*$/m);
  return end < 0 ? inside : inside.slice(0, end);
}

/**
 * A text that does not begin with all of the line before the cursor. What is short, has no sign or no word, only lists
 * values or ends an element may well stand there twice.
 */
function withoutEcho(text: string, lineBefore: string): string {
  const line = lineBefore.trim();
  const isList = line.endsWith(",") && !/[([{=]/.test(line);
  if (line.length < 4 || !/[^\w\s]/.test(line) || !/\p{L}{2}/u.test(line) || isList || line.endsWith(">")) return text;
  const said = text.replace(/^[ \t]+/, "");
  if (!said.startsWith(line)) return text;
  const rest = said.slice(line.length);
  return /[ \t]$/.test(lineBefore) ? rest.replace(/^[ \t]+/, "") : rest;
}
