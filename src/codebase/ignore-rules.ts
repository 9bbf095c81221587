import { type GitPattern, type GitPatternOptions, tryParseGitPattern } from "./git-pattern.ts";

/** The line of an ignore file that decided about a path. */
export interface IgnoreVerdict {
  /** Whether the line excludes the path, or takes it back with a `!`. */
  readonly excluded: boolean;
  /** The ignore file, relative to the root of the workspace, or absolute when it lies outside. */
  readonly file: string;
  /** Counts from 1. */
  readonly lineNumber: number;
  /** The line as it is written. */
  readonly pattern: string;
}

/** Where an ignore file counts. */
export interface IgnoreRulesOptions extends GitPatternOptions {
  /** The name of the file in verdicts. */
  readonly file: string;
  /** The folder its patterns start from, when it lies in the workspace. */
  readonly folder?: string;
  /** The path from the folder its patterns start from down to the workspace, when that lies above. */
  readonly above?: string;
}

interface Rule {
  readonly pattern: GitPattern;
  readonly verdict: IgnoreVerdict;
}

/** The rules of one ignore file. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];
  readonly #folder: string;
  readonly #above: string;

  private constructor(rules: readonly Rule[], folder: string, above: string) {
    this.#rules = rules;
    this.#folder = folder === "" ? "" : `${folder}/`;
    this.#above = above === "" ? "" : `${above}/`;
  }

  /** Reads the text of an ignore file. Every text is one: a line that makes no sense matches nothing. */
  static parse(text: string, { file, folder = "", above = "", ignoreCase }: IgnoreRulesOptions): IgnoreRules {
    const lines = text.replace(/^\uFEFF/, "").split("\n");
    const rules = lines.flatMap((line, index) => {
      // A file is cut at a NUL by git; a carriage return belongs to the line end.
      const written = line.replace(/\r$/, "").replace(/\0.*$/s, "");
      const pattern = tryParseGitPattern(written, { ignoreCase });
      if (pattern === undefined) return [];
      const verdict = { excluded: !pattern.negated, file, lineNumber: index + 1, pattern: written };
      return [{ pattern, verdict }];
    });
    return new IgnoreRules(rules, folder, above);
  }

  /** Whether there is no rule at all. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /**
   * The last rule that matches `path`, or `undefined` when none does.
   *
   * It answers for the path itself; a folder above it that is excluded excludes it too, and is the caller's question.
   */
  verdict(path: string, isFolder: boolean): IgnoreVerdict | undefined {
    if (this.isEmpty || !path.startsWith(this.#folder)) return undefined;
    const own = this.#above + path.slice(this.#folder.length);
    for (let i = this.#rules.length - 1; i >= 0; i -= 1) {
      const rule = this.#rules[i]!;
      if ((isFolder || !rule.pattern.foldersOnly) && rule.pattern.matches(own)) return rule.verdict;
    }
    return undefined;
  }
}
