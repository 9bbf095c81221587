import type { MadeRepair } from "../../../analysis/index.ts";
import { anyIdentifier, quotedRanges } from "../../../text/index.ts";

/**
 * Returns the reason of a repair, for people: what changed elsewhere, as far as its rule determines
 * it. `text` is the file's text before the repair.
 */
export function fixReason(
  { rule, edits, diagnostic, about = [] }: Pick<MadeRepair, "rule" | "edits" | "diagnostic" | "about">,
  text: string,
): string {
  const code = text.slice(diagnostic.start, diagnostic.end);
  const name = lastWord(code);
  const written = edits.map((edit) => edit.text).join(" ");
  switch (rule) {
    case "example":
      return name === "" ? "like your last edits" : `like your last edits of ${name}`;
    case "rename":
      return `renamed to ${lastWord(written)}`;
    case "renamed string":
      return `renamed to ${written.trim()}`;
    case "import form":
      return `imports ${name} as its module exports it`;
    case "moved module":
      return "imports the file by its new path";
    case "moved import":
      return `imports ${name} from its new module`;
    case "import alias":
      return `${name} is imported as ${listed(about)}`;
    case "missing import":
      return `imports ${name}`;
    case "import type":
      return `imports ${name} as ${code === name && written.includes("type") ? "a type" : "a value"}`;
    case "base signature":
      return "takes the parameters of the method it overrides";
    case "call":
    case "argument":
      return callReason(calledAt(diagnostic, text), edits, text);
    case "missing property":
    case "alike property":
      return `gives ${listed(about)}, which ${about.length > 1 ? "are" : "is"} required now`;
    case "removed property":
    case "unused property":
      return `${firstWord(code)} no longer exists`;
    case "unused import":
      return name === "" ? "nothing uses the import any more" : `nothing uses ${name} any more`;
    case "dead comparison":
    case "dead case":
      return "that value no longer exists";
    case "missing case":
      return `adds ${listed(about)}, which its type lists now`;
    case "type arguments":
      return `${name} has other type parameters now`;
    case "readonly":
      return "it is read-only now";
    case "override":
      return "it overrides what it inherits";
    case "await":
      return "awaits what is a promise now";
    default:
      return "follows from your last edits";
  }
}

/** Returns the reason of a stub, which a person or a model has to complete. */
export function stubReason(stub: Parameters<typeof fixReason>[0], text: string): string {
  return fixReason(stub, text).replace(/^(?:gives|adds) /, "lacks ");
}

/** Joins names, at most {@link maxListed}, with the number of the others. */
function listed(names: readonly string[]): string {
  const more = names.length - maxListed;
  return more > 0 ? `${names.slice(0, maxListed).join(", ")} and ${more} more` : names.join(", ");
}

const maxListed = 4;

/**
 * Returns the reason of a changed call: arguments added or removed, or a general one where both
 * apply.
 */
function callReason(name: string, edits: MadeRepair["edits"], text: string): string {
  const old = edits.flatMap(({ start, end }) => wordsIn(text.slice(start, end)));
  const now = edits.flatMap((edit) => wordsIn(edit.text));
  const come = now.filter((word) => !old.includes(word));
  const gone = old.filter((word) => !now.includes(word));
  if (come.length > 0 && gone.length === 0) return `passes ${come.join(", ")}, which ${name} needs now`;
  if (gone.length > 0 && come.length === 0) return `passes no ${gone.join(", ")}, which ${name} no longer takes`;
  return `calls ${name} as it is declared now`;
}

/**
 * Returns the name of the called function for a diagnostic of a call, of its callee, or of an
 * argument.
 */
function calledAt({ start, end }: MadeRepair["diagnostic"], text: string): string {
  const code = text.slice(start, end);
  const isCallee = isOneName.test(code) && /^\s*(?:<[^()]*>\s*)?\(/.test(text.slice(end, end + maxBehind));
  const called = /^([^(]*)\(/.exec(code)?.[1] ?? (isCallee ? code : calleeAround(start, text));
  const name = lastWord(withoutTypeArguments(called));
  if (name === "super") return "its base class";
  return name === "" ? "the call" : name;
}

/**
 * Returns the text before the round bracket around a place, within {@link maxInFront} units.
 * Brackets in strings are not recognised as such.
 */
function calleeAround(place: number, text: string): string {
  let depth = 0;
  for (let at = place - 1; at >= Math.max(0, place - maxInFront); at--) {
    const sign = text[at]!;
    if (/[)\]}]/.test(sign)) depth++;
    else if (/[([{]/.test(sign) && depth > 0) depth--;
    else if (sign === "(")
      return (
        /(?<![\p{ID_Continue}$.?#])[\p{ID_Continue}$.?#]+(?:<[^()]*>)?\s*$/u.exec(
          text.slice(Math.max(0, at - 200), at),
        )?.[0] ?? ""
      );
  }
  return "";
}

/** Returns a callee without its type arguments: `map` of `map<A, B<C>>`. */
function withoutTypeArguments(called: string): string {
  const bracket = Math.max(called.lastIndexOf("("), called.lastIndexOf(")"));
  const start = called.trimEnd().endsWith(">") ? called.indexOf("<", bracket + 1) : -1;
  return start < 0 ? called : called.slice(0, start);
}

/** How far brackets are searched, in UTF-16 units. */
const maxBehind = 200;
const maxInFront = 2_000;

const isOneName = /^[\p{ID_Continue}$.?#]+$/u;

function firstWord(text: string): string {
  return wordsIn(text)[0] ?? "";
}

function lastWord(text: string): string {
  return wordsIn(text).at(-1) ?? "";
}

/** Returns the names in a text, without those in quotes. */
function wordsIn(text: string): readonly string[] {
  let rest = "";
  let end = 0;
  for (const quoted of quotedRanges(text)) {
    rest += text.slice(end, quoted.start);
    end = quoted.end;
  }
  return (rest + text.slice(end)).match(anyIdentifier) ?? [];
}
