import { type GitPattern, type GitPatternOptions, tryParseGitPattern } from "./git-pattern.ts";

/** The line of an ignore file that decides about a path. */
export interface IgnoreVerdict {
  /** Whether the line excludes the path; `false` when it includes it again with a `!`. */
  readonly excluded: boolean;
  /** The ignore file, relative to the root of the workspace, or absolute when it lies outside. */
  readonly file: string;
  /** The line's number, from 1. */
  readonly lineNumber: number;
  /** The line as it is written. */
  readonly pattern: string;
}

/** How {@link IgnoreRules.parse} reads an ignore file. */
export interface IgnoreRulesOptions extends GitPatternOptions {
  /** The name of the ignore file that verdicts contain. */
  readonly file: string;
  /**
   * The folder that the patterns are relative to, as a path in the workspace; the root by default.
   */
  readonly folder?: string;
  /**
   * For an ignore file above the workspace: the path from the file's folder down to the workspace.
   */
  readonly above?: string;
}

interface Rule {
  readonly pattern: GitPattern;
  readonly verdict: IgnoreVerdict;
}

/** The rules of one ignore file, in order. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];
  readonly #folder: string;
  readonly #above: string;

  private constructor(rules: readonly Rule[], folder: string, above: string) {
    this.#rules = rules;
    this.#folder = folder === "" ? "" : `${folder}/`;
    this.#above = above === "" ? "" : `${above}/`;
  }

  /** Parses the text of an ignore file. Never fails: an invalid line matches nothing. */
  static parse(text: string, { file, folder = "", above = "", ignoreCase }: IgnoreRulesOptions): IgnoreRules {
    const lines = text.replace(/^\uFEFF/, "").split("\n");
    const rules = lines.flatMap((line, index) => {
      // Git cuts a line at a NUL; a carriage return belongs to the line end.
      const written = line.replace(/\r$/, "").split("\0", 1)[0]!;
      const pattern = tryParseGitPattern(written, { ignoreCase });
      if (pattern === undefined) return [];
      const verdict = { excluded: !pattern.negated, file, lineNumber: index + 1, pattern: written };
      return [{ pattern, verdict }];
    });
    return new IgnoreRules(rules, folder, above);
  }

  /** Whether the file has no rule. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /**
   * The last rule that matches `path`, or `undefined` when none does.
   *
   * Only the path itself is matched. A path below an excluded folder is excluded too; the caller
   * has to check the folders above.
   */
  verdict(path: string, isFolder: boolean): IgnoreVerdict | undefined {
    if (this.isEmpty || !path.startsWith(this.#folder)) return undefined;
    const pathFromRules = this.#above + path.slice(this.#folder.length);
    for (let i = this.#rules.length - 1; i >= 0; i -= 1) {
      const rule = this.#rules[i]!;
      if ((isFolder || !rule.pattern.foldersOnly) && rule.pattern.matches(pathFromRules)) return rule.verdict;
    }
    return undefined;
  }
}
