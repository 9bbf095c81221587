import type { MadeRepair } from "../../codebase/index.ts";

/** Why a repair is made, for a person: what changed elsewhere, as far as its rule tells. `text` is the file's as the repair found it. */
export function fixReason(
  { rule, edits, finding, about = [] }: Pick<MadeRepair, "rule" | "edits" | "finding" | "about">,
  text: string,
): string {
  const said = text.slice(finding.start, finding.end);
  const name = lastWord(said);
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
      return "imports from where the file is now";
    case "moved import":
      return `imports ${name} from where it is now`;
    case "import alias":
      return `${name} is imported as ${listed(about)}`;
    case "missing import":
      return `imports ${name}`;
    case "import type":
      return `imports ${name} as ${said === name && written.includes("type") ? "a type" : "a value"}`;
    case "base signature":
      return "takes what the method below it takes";
    case "call":
    case "argument":
      return callReason(calledAt(finding, text), edits, text);
    case "missing property":
    case "alike property":
      return `gives ${listed(about)}, which ${about.length > 1 ? "are" : "is"} asked for now`;
    case "removed property":
    case "unused property":
      return `${firstWord(said)} is no more`;
    case "unused import":
      return name === "" ? "nothing uses the import any more" : `nothing uses ${name} any more`;
    case "dead comparison":
    case "dead case":
      return "that value is no more";
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

/** Why code is written of which a person has to say the rest. */
export function skeletonReason(skeleton: Parameters<typeof fixReason>[0], text: string): string {
  return fixReason(skeleton, text).replace(/^(?:gives|adds) /, "lacks ");
}

/** Some of many names. */
function listed(names: readonly string[]): string {
  const more = names.length - maxListed;
  return more > 0 ? `${names.slice(0, maxListed).join(", ")} and ${more} more` : names.join(", ");
}

const maxListed = 4;

/** What a call passes now, or no longer, where it is one of the two. */
function callReason(name: string, edits: MadeRepair["edits"], text: string): string {
  const old = edits.flatMap(({ start, end }) => wordsIn(text.slice(start, end)));
  const now = edits.flatMap((edit) => wordsIn(edit.text));
  const come = now.filter((word) => !old.includes(word));
  const gone = old.filter((word) => !now.includes(word));
  if (come.length > 0 && gone.length === 0) return `passes ${come.join(", ")}, which ${name} needs now`;
  if (gone.length > 0 && come.length === 0) return `passes no ${gone.join(", ")}, which ${name} takes no more`;
  return `calls ${name} as it is declared now`;
}

/** What is called where a checker complains: of a call, of what it calls, or of an argument. */
function calledAt({ start, end }: MadeRepair["finding"], text: string): string {
  const said = text.slice(start, end);
  const isCallee = isOneName.test(said) && /^\s*(?:<[^()]*>\s*)?\(/.test(text.slice(end, end + maxBehind));
  const called = /^([^(]*)\(/.exec(said)?.[1] ?? (isCallee ? said : calleeAround(start, text));
  const name = lastWord(called.replace(typeArguments, ""));
  if (name === "super") return "its base class";
  return name === "" ? "the call" : name;
}

/** What stands in front of the round bracket around a place, as far as it is near by; brackets in quotes are taken for others. */
function calleeAround(place: number, text: string): string {
  let depth = 0;
  for (let at = place - 1; at >= Math.max(0, place - maxInFront); at--) {
    const sign = text[at]!;
    if (/[)\]}]/.test(sign)) depth++;
    else if (/[([{]/.test(sign) && depth > 0) depth--;
    else if (sign === "(")
      return /[\p{ID_Continue}$.?#]+(?:<[^()]*>)?\s*$/u.exec(text.slice(Math.max(0, at - 200), at))?.[0] ?? "";
  }
  return "";
}

const typeArguments = /<[^()]*>\s*$/;
/** How far it is looked for brackets, in UTF-16 units. */
const maxBehind = 200;
const maxInFront = 2_000;

const isOneName = /^[\p{ID_Continue}$.?#]+$/u;

function firstWord(text: string): string {
  return wordsIn(text)[0] ?? "";
}

function lastWord(text: string): string {
  return wordsIn(text).at(-1) ?? "";
}

/** The names in a text; what stands in quotes is none. */
function wordsIn(text: string): readonly string[] {
  return text.replaceAll(/(["'`])(?:\\.|(?!\1).)*\1/gs, "").match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
}
