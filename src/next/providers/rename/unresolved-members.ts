import type { WorkspaceTexts } from "../../engine/workspace-texts.ts";
import type { MemberRename } from "./rename.ts";

/** The most files that are read before a name counts as common. */
const maxFiles = 60;

/**
 * Estimates the likelihood that a member with an unknown owner is the renamed one, by how many
 * other declarations of the name remain. Valid for one state of the workspace.
 */
export class UnresolvedMembers {
  readonly #parts: { readonly files: WorkspaceTexts; textOf(path: string): string | undefined };
  readonly #known = new Map<string, number>();

  constructor(parts: { readonly files: WorkspaceTexts; textOf(path: string): string | undefined }) {
    this.#parts = parts;
  }

  /** Returns the likelihood, in [0, 1]. */
  of({ from, isDeclared }: MemberRename): number {
    const known = this.#known.get(from);
    if (known !== undefined) return known;
    const guess = this.#guess(from, isDeclared ? 0 : 1);
    this.#known.set(from, guess);
    return guess;
  }

  #guess(name: string, own: number): number {
    // A private name is visible in its class only.
    if (name.startsWith("#")) return 1;
    if (common.has(name)) return 0.1;
    const paths = this.#parts.files.saying([name]);
    if (paths.length > maxFiles) return 0.1;
    const declared = new RegExp(
      `(?:^|[{;,(])[ \\t]*(?:(?:public|private|protected|static|readonly|abstract|override|async|get|set|declare)[ \\t]+)*${escaped(name)}[?!]?\\s*(?::|\\((?=[^()]*\\)\\s*[:{])|<)`,
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

/** Members of built-in objects. Source: ECMA-262, and the most common ones of the DOM. */
const common: ReadonlySet<string> = new Set(
  (
    "length name message stack cause push pop shift unshift slice splice concat join reverse sort map filter reduce forEach find findIndex some every " +
    "includes indexOf lastIndexOf keys values entries get set has add delete clear size then catch finally call apply bind toString valueOf constructor " +
    "prototype next return throw done value test exec match replace split trim start end index input log error warn info debug resolve reject all race " +
    "parse stringify id type data target key code event parent children node path text on off emit close open read write"
  ).split(" "),
);
