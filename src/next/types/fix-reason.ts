import type { MadeRepair } from "../../codebase/index.ts";

/** Why a repair is made, for a person: what changed elsewhere, as far as its rule tells. `text` is the file's as the repair found it. */
export function fixReason(
  { rule, edits, finding }: Pick<MadeRepair, "rule" | "edits" | "finding">,
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
    case "missing import":
      return `imports ${name}`;
    case "import type":
      return `imports ${name} as ${said === name && written.includes("type") ? "a type" : "a value"}`;
    case "base signature":
      return "takes what the method below it takes";
    case "call":
    case "argument":
      return callReason(calledIn(said), edits, text);
    case "missing property":
      return `gives ${firstWord(written)}, which is asked for now`;
    case "removed property":
    case "unused property":
      return `${firstWord(said)} is no more`;
    case "unused import":
      return name === "" ? "nothing uses the import any more" : `nothing uses ${name} any more`;
    case "dead comparison":
    case "dead case":
      return "that value is no more";
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

/** What a call calls, in words. A checker may complain of an argument alone, which does not say. */
function calledIn(said: string): string {
  const [, called] = /^([^(]*)\(/.exec(said) ?? [];
  const name = lastWord(called ?? (isOneName.test(said) ? said : ""));
  if (name === "super") return "its base class";
  return name === "" || literals.has(name) ? "the call" : name;
}

const isOneName = /^[\p{ID_Continue}$.?#]+$/u;
const literals: ReadonlySet<string> = new Set(["true", "false", "null", "undefined", "this"]);

function firstWord(text: string): string {
  return wordsIn(text)[0] ?? "";
}

function lastWord(text: string): string {
  return wordsIn(text).at(-1) ?? "";
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
}
