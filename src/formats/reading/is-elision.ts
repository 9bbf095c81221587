/**
 * Whether a row states that code was left out, such as `// ... existing code ...`, `# rest of the
 * file unchanged` or `...`.
 *
 * It must be alone in its row: a comment in any common syntax, or words between dots. A bare `...`
 * counts unless it is code in the language, which the extension of `path` decides; without a path
 * it counts.
 *
 * Dots on both sides of a few words are sufficient. Without them the words must be those that
 * models write: a comment such as `// existing users` is ordinary code. A row of more than 120
 * UTF-16 code units is none.
 */
export function isElision(row: string, path?: string): boolean {
  const text = row.trim();
  // Bounds the patterns below, far above any real row.
  if (text.length > 120) return false;
  const remark = remarkIn(text);
  if (remark === undefined) {
    if (bareDots.test(text)) return !dotsAreCode.has(/\.(\w+)$/.exec(path ?? "")?.[1]?.toLowerCase() ?? "");
    return bareWords.test(text);
  }
  const { words, hasDotsAhead, hasDotsBehind } = withoutDots(remark);
  if (words === "") return bareDotsInRemark.test(remark);
  // `// ...rest` is a commented-out line with a spread.
  const isSpread = /(?:\.{3}|…)\w+\W*$/.test(remark);
  const count = words.split(/\s+/).length;
  if (hasDotsAhead && !isSpread && (hasDotsBehind ? count <= 6 : beginsLikeElision.test(words))) return true;
  return elisionWords.test(words);
}

/** The text inside a comment that fills the whole row; `undefined` where there is none. */
function remarkIn(text: string): string | undefined {
  for (const pattern of remarks) {
    const inside = pattern.exec(text)?.[1];
    // A comment may open and close with additional stars.
    if (inside !== undefined) return inside.replace(/^\*+|(?<!\*)\*+$/g, "");
  }
  return undefined;
}

const remarks: readonly RegExp[] = [
  /^\{\s*\/\*(.*)\*\/\s*\}$/,
  /^\/\*(.*)\*\/$/,
  /^<!--(.*?)-->$/,
  /^\{\{!(?:--)?(.*?)(?:--)?\}\}$/,
  /^<%#(.*?)%>$/,
  /^\{#(.*?)#\}$/,
  /^\{-(.*?)-\}$/,
  /^\(\*(.*?)\*\)$/,
  /^(?:\/\/+(?!\/)|#+(?!#)|--+(?!-)|;+(?!;)|%+(?!%)|'|::|rem\s)(.*)$/i,
];

/** The words of a comment without the dots, dashes and brackets around them, in lower case. */
function withoutDots(remark: string): {
  readonly words: string;
  readonly hasDotsAhead: boolean;
  readonly hasDotsBehind: boolean;
} {
  const ahead = /^[^\p{L}\p{N}]*/u.exec(remark)![0];
  const rest = remark.slice(ahead.length);
  const behind = /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]*$/u.exec(rest)![0];
  const words = rest.slice(0, rest.length - behind.length).toLowerCase();
  return { words, hasDotsAhead: dots.test(ahead), hasDotsBehind: dots.test(behind) };
}

const dots = /\.{3}|…|・{3}/;

const bareDotsInRemark = /^[\s()[\]<>-]*(?:\.{3,6}|…{1,2}|・{3,6})[\s()[\]<>-]*$/;

const bareDots = /^(?:\.{3,6}|…{1,2})$/;

/** Dots around words, which no language has. */
const bareWords = /^(?:\.{3}|…) ?[\p{L}\p{N}][\p{L}\p{N} '-]* ?(?:\.{3}|…)$/u;

/** Extensions of files in which a row of dots is code. */
const dotsAreCode: ReadonlySet<string> = new Set(
  "py pyi pyw ipynb yaml yml md mdx txt rst r lua c h cc cpp hpp cxx m mm pl pm".split(" "),
);

/** The beginnings of words after dots that precede them only. */
const beginsLikeElision =
  /^(?:(?:the|all|keep|and|your) )*(?:existing|rest|remaining|remainder|same|unchanged|omitted|previous|other|original|more code|code)\b/;

const parts =
  "code|file|class|function|method|implementation|import|component|module|logic|body|script|content|program|definition|test|style|handler|route|field|propert(?:y|ie)|case|setup|markup|template";

const tails =
  "(?:goes |follows? |continues? )?here|follows?|continues?|(?:(?:remains?|stays?|is|are|kept|goes) )?(?:here )?(?:unchanged|the same|as (?:is|before|it is)|omitted|unmodified|untouched|not changed|not shown)(?: as before| for brevity)?|remains?|same as before";

/** The words of an elision without dots. */
const elisionWords = new RegExp(
  `^(?:keep |and |leave )*(?:${[
    `(?:the )?(?:rest|remainder) of (?:the |your |this )?(?:[\\w.-]+ ){0,2}(?:${parts})e?s?(?: (?:${tails}))?`,
    `(?:all |your |the |other )*(?:existing|remaining|previous|original|other|unchanged) code(?: (?:${tails}))?`,
    `(?:all |your |the |other )*(?:existing|remaining|previous|original|other) (?:[\\w-]+ ){0,2}(?:${parts})e?s? (?:${tails})`,
    `(?:all |your |the )*(?:code|implementation)(?: (?:above|below))? (?:${tails})`,
    "(?:the )?rest (?:of it )?(?:is |remains |stays )?(?:unchanged|the same|as before)",
    "unchanged|omitted(?: for brevity)?|same as before|no changes? here",
    "既存のコード.*|残りのコード.*|(?:以下|以降|中|後)?省略|変更(?:なし|無し)|以下同じ",
  ].join("|")})$`,
);

/**
 * The index of the first new line that represents left-out code; `undefined` where all lines are
 * code.
 *
 * A line that is also in `known`, the lines of the file and of the operation, is code, whatever it
 * looks like.
 */
export function elidedRow(
  lines: readonly string[],
  { known, path }: { readonly known: readonly (readonly string[])[]; readonly path: string },
): number | undefined {
  const suspects = lines.flatMap((line, i) => (isElision(line, path) ? [i] : []));
  if (suspects.length === 0) return undefined;
  const wanted = new Set(suspects.map((i) => lines[i]!.trim()));
  for (const line of known.flat()) wanted.delete(line.trim());
  return suspects.find((i) => wanted.has(lines[i]!.trim()));
}
