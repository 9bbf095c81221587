/** How a file's code is laid out, as far as formatters let people choose. */
export interface CodeStyle {
  /** The width that lines keep to, in columns; infinite where they keep to none. */
  readonly width: number;
  /** One step of indentation: a tab, or that many blanks. */
  readonly indent: "tab" | number;
  readonly semicolons: boolean;
  readonly singleQuotes: boolean;
  /** Where commas stand behind the last of things on lines of their own: nowhere, in arrays and objects, or also behind parameters and arguments. */
  readonly trailingCommas: "none" | "es5" | "all";
  /** Whether the only parameter of an arrow function is in parentheses. */
  readonly arrowParentheses: boolean;
  /** Whether blanks stand inside the braces of an object on one line. */
  readonly bracketSpacing: boolean;
}

/** Widths that formatters are set to, and the least of them. */
const widths = [80, 100, 120, 140, 160] as const;
export const leastWidth = widths[0];
/** Which part of the least width one line at least reaches where people keep to it. */
const nearShare = 0.85;
/** How many lines nearly have a width where a file tells by itself that it keeps to it, and how many at the least do so with those beside it. */
const enoughNear = 4;
const leastNear = 2;
/** How many lines that could be broken may be longer than a width, for each that nearly has it. */
const maxOver = 0.05;
/** How wide a tab is, as formatters count unless told. */
const tabWidth = 2;

/**
 * How a file of JavaScript or its kin is laid out, by what most of its lines do. What the file itself does not tell, as a file of short lines how long they might
 * be, those beside it are asked.
 */
export function codeStyleOf(text: string, beside: () => Iterable<string> = () => []): CodeStyle {
  const own = new StyleCounts();
  own.add(text);
  const all = own.isTelling ? own : new StyleCounts();
  if (all !== own) for (const one of [text, ...beside()]) all.add(one);
  const { steps, votes } = own;
  const [step = "  "] = [...steps].sort(([, one], [, other]) => other - one)[0] ?? [];
  return {
    width: own.tellsWidth ? own.width : all.width,
    indent: step.includes("\t") ? "tab" : step.length,
    semicolons: votes.semicolons >= 0,
    singleQuotes: votes.singleQuotes >= 0,
    trailingCommas: own.tellsCommas ? own.trailingCommas : all.trailingCommas,
    arrowParentheses: votes.arrowParentheses >= 0,
    bracketSpacing: votes.bracketSpacing >= 0,
  };
}

/** What lines do, counted. */
class StyleCounts {
  readonly steps = new Map<string, number>();
  readonly votes = { semicolons: 0, singleQuotes: 0, arrowParentheses: 0, bracketSpacing: 0 };
  readonly #commas = { ")": 0, "]": 0, "}": 0 };
  /** By width: lines that could be broken and are longer, and lines that nearly have it. */
  readonly #over = widths.map(() => 0);
  readonly #near = widths.map(() => 0);

  add(text: string): void {
    let [lastIndent, lastEnd] = ["", ""];
    for (const line of text.split("\n")) {
      const said = line.trim();
      if (said === "" || isComment(said)) continue;
      const indent = line.slice(0, line.length - line.trimStart().length);
      this.#addWidth(columnsOf(line.trimEnd()), said);
      if (indent.length > lastIndent.length && indent.startsWith(lastIndent) && /[([{]$/.test(lastEnd)) {
        const step = indent.slice(lastIndent.length);
        this.steps.set(step, (this.steps.get(step) ?? 0) + 1);
      }
      const closer = said[0]!;
      if (/[)\]}]/.test(closer) && lastIndent.length > indent.length && !/[;{([:]$/.test(lastEnd))
        this.#commas[closer as ")" | "]" | "}"] += lastEnd === "," ? 1 : -1;
      this.#vote(said);
      [lastIndent, lastEnd] = [indent, said.at(-1)!];
    }
  }

  get tellsWidth(): boolean {
    return (this.#near[this.#widthIndex] ?? 0) >= enoughNear;
  }

  get tellsCommas(): boolean {
    return this.#commas[")"] !== 0;
  }

  get isTelling(): boolean {
    return this.tellsWidth && this.tellsCommas;
  }

  get width(): number {
    return (this.#near[this.#widthIndex] ?? 0) < leastNear ? Number.POSITIVE_INFINITY : widths[this.#widthIndex]!;
  }

  get trailingCommas(): CodeStyle["trailingCommas"] {
    const literals = this.#commas["]"] + this.#commas["}"];
    if (this.#commas[")"] > 0 || (this.#commas[")"] === 0 && literals === 0)) return "all";
    return literals >= 0 ? "es5" : "none";
  }

  get #widthIndex(): number {
    return widths.findIndex((_, i) => this.#near[i]! > 0 && this.#over[i]! <= this.#near[i]! * maxOver);
  }

  #addWidth(columns: number, said: string): void {
    if (columns <= widths[0] * nearShare) return;
    for (const [i, most] of widths.entries()) {
      if (columns > most) this.#over[i]! += Number(mayBreak(said));
      else if (columns > (widths[i - 1] ?? most * nearShare)) this.#near[i]!++;
    }
  }

  #vote(said: string): void {
    const { votes } = this;
    if (/^(?:import|export|const|let|return|throw)\b.*[\w'")\]];?$/.test(said))
      votes.semicolons += said.endsWith(";") ? 1 : -1;
    if (/^[^"]*'[^'"]*'[^"]*$/.test(said)) votes.singleQuotes++;
    else if (/^[^']*"[^'"]*"[^']*$/.test(said)) votes.singleQuotes--;
    if (/\(\w+\) =>/.test(said)) votes.arrowParentheses++;
    else if (/(?:^|[(,=:?] ?)\w+ =>/.test(said)) votes.arrowParentheses--;
    if (/\{ \w/.test(said)) votes.bracketSpacing++;
    else if (/\{\w/.test(said)) votes.bracketSpacing--;
  }
}

/** The columns of a line, a tab counted as formatters do. */
export function columnsOf(line: string): number {
  let columns = line.length;
  for (const character of line) if (character === "\t") columns += tabWidth - 1;
  return columns;
}

function isComment(said: string): boolean {
  return /^(?:\/[/*]|\*)/.test(said);
}

/** Whether a formatter would break a line that is too long: not where a string, a template or a comment makes it so. */
function mayBreak(said: string): boolean {
  return !/`|(["'])(?:(?!\1).){16,}\1|\/\/|\/\*|^import\b/.test(said) && /[([{<]/.test(said);
}
