import type { WorkspaceTexts } from "../workspace-texts.ts";
import type { MemberRename } from "./rename.ts";

/** How many files are looked at before a name is taken for one that everything has. */
const maxFiles = 60;

/**
 * How likely a member is meant of which nobody tells whose it is: by how many other declarations of the name there still are. It is
 * true for one moment of the workspace.
 */
export class MemberGuesses {
  readonly #parts: { readonly files: WorkspaceTexts; textOf(path: string): string | undefined };
  readonly #known = new Map<string, number>();

  constructor(parts: { readonly files: WorkspaceTexts; textOf(path: string): string | undefined }) {
    this.#parts = parts;
  }

  /** From 0 to 1. */
  of({ from, isDeclared }: MemberRename): number {
    const known = this.#known.get(from);
    if (known !== undefined) return known;
    const guess = this.#guess(from, isDeclared ? 0 : 1);
    this.#known.set(from, guess);
    return guess;
  }

  #guess(name: string, own: number): number {
    // A private name is known in its class alone.
    if (name.startsWith("#")) return 1;
    if (common.has(name)) return 0.1;
    const paths = this.#parts.files.saying([name]);
    if (paths.length > maxFiles) return 0.1;
    const declared = new RegExp(
      `(?:^|[{;,(])[^\\S\\n]*(?:(?:public|private|protected|static|readonly|abstract|override|async|get|set|declare)\\s+)*${escaped(name)}[?!]?\\s*(?::|\\((?=[^()]*\\)\\s*[:{])|<)`,
      "gm",
    );
    let others = 0;
    for (const path of paths) others += this.#parts.textOf(path)?.match(declared)?.length ?? 0;
    const rest = Math.max(0, others - own);
    const words = name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+|\d+/gu)?.length ?? 1;
    const byCount = rest === 0 ? 0.85 : rest === 1 ? 0.5 : rest < 4 ? 0.3 : 0.15;
    return words > 1 || rest === 0 ? byCount : byCount * 0.7;
  }
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}

/** Members that objects of the language itself have. Source: ECMA-262, and the DOM's most common. */
const common: ReadonlySet<string> = new Set(
  (
    "length name message stack cause push pop shift unshift slice splice concat join reverse sort map filter reduce forEach find findIndex some every " +
    "includes indexOf lastIndexOf keys values entries get set has add delete clear size then catch finally call apply bind toString valueOf constructor " +
    "prototype next return throw done value test exec match replace split trim start end index input log error warn info debug resolve reject all race " +
    "parse stringify id type data target key code event parent children node path text on off emit close open read write"
  ).split(" "),
);
