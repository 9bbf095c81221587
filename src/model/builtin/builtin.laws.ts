/**
 * What the tests of this folder share: generated texts with many edge cases close together, small
 * workspaces, a notation for tokens, and all answers of a model at some places as one value.
 *
 * In the notation of tokens, the text between two of them is `·` for nothing, one space for one,
 * and two for more. A line break is `↵` with its steps of indentation, `↵↵` where blank lines are
 * between. A sign after a token marks its kind: `if!` is a keyword, `1#` a number, `(+` and `)-`
 * are brackets, `"<` and `">` quotes, `//~` begins a comment up to the line's end, and a longer one
 * is between `<!--~<` and `-->~>`; names and punctuation have none.
 */
import fc from "fast-check";
import { BuiltinModel } from "./builtin-model.ts";
import type { CompletionRequest } from "./completion.ts";
import { candidateFeatures, placeFeatures } from "./evidence.ts";
import { Knowledge } from "./knowledge.ts";
import { lexRulesOf } from "./lex-rules.ts";
import { indentUnitOf, Lexer } from "./lexer.ts";
import { initialWeights } from "./mixer.ts";
import { Gap, isNewline, newlineBlank, newlineSteps, TokenKind } from "./token.ts";
import { Vocabulary } from "./vocabulary.ts";

/** The tokens of one text, and the vocabulary that counts them. */
export interface Lexed {
  readonly vocabulary: Vocabulary;
  /** `id * 4 + gap` of each token. */
  readonly tokens: readonly number[];
  /** The offset at which each begins. */
  readonly starts: readonly number[];
  /** One past the end of the last token's text. */
  readonly end: number;
}

/** Splits a text into tokens. */
export function lex(text: string, language = "typescript", vocabulary = new Vocabulary()): Lexed {
  const lexer = new Lexer(vocabulary);
  lexer.lex(text, lexRulesOf(language), indentUnitOf(text));
  const { tokens, starts, length, end } = lexer;
  return { vocabulary, tokens: [...tokens.subarray(0, length)], starts: [...starts.subarray(0, length)], end };
}

const signs: Partial<Record<number, string>> = {
  [TokenKind.keyword]: "!",
  [TokenKind.number]: "#",
  [TokenKind.open]: "+",
  [TokenKind.close]: "-",
  [TokenKind.quoteOpen]: "<",
  [TokenKind.quoteClose]: ">",
  [TokenKind.lineComment]: "~",
  [TokenKind.commentOpen]: "~<",
  [TokenKind.commentClose]: "~>",
};
const gaps: Partial<Record<number, string>> = { [Gap.none]: "·", [Gap.space]: " ", [Gap.wide]: "  " };

/** Writes tokens in the notation. */
export function showTokens({ vocabulary: { names, kinds }, tokens }: Lexed): string {
  let shown = "";
  let atBreak = true;
  for (const token of tokens) {
    const id = token >> 2;
    if (isNewline(id)) {
      const steps = newlineSteps(id);
      shown += `${shown === "" ? "" : " "}↵${newlineBlank(id) ? "↵" : ""}${steps > 0 ? "+" : ""}${steps || ""} `;
    } else {
      const gap = gaps[token & 3]!;
      shown += (atBreak && gap === "·" ? "" : gap) + names[id] + (signs[kinds[id]!] ?? "");
    }
    atBreak = isNewline(id);
  }
  return shown.trimEnd();
}

/** The place that `|` marks in a text. */
export function readPlace(marked: string, path = "src/here.ts", language = "typescript"): CompletionRequest {
  const [prefix, suffix] = marked.split("|") as [string, string];
  return { path, language, prefix, suffix };
}

/**
 * Texts of marks and words in any order: strings left open, brackets that do not match, halves of
 * pairs.
 */
export const anyCode: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      ...'a|foo|fooBar|é|😀|\ud83d|const |return |import |from |1|1.5|0x1f|(|)|{|}|[|]|\'|"|"""|`|${|\\|//|/*|*/|#|=|==|=>'.split(
        "|",
      ),
      ..."?.|::|...|.|,|;|:|</|/>|<|../|-----|\n|\n\n|\r\n|\r|\n  |\n    |\n\t| |  |\t|\u00a0|\ufeff|\u2028|\0".split(
        "|",
      ),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

const anyWord = fc.constantFrom("load", "save", "user", "order", "total", "Order", "items", "find");
const anyLine = fc.oneof(
  fc.tuple(anyWord, anyWord, anyWord).map(([a, b, c]) => `const ${a} = ${b}.${c}(${a});`),
  fc.tuple(anyWord, anyWord).map(([a, b]) => `import { ${a} } from "./${b}.ts";`),
  fc.tuple(anyWord, anyWord).map(([a, b]) => `export function ${a}(${b}: Order) {\n  return ${b};\n}\n`),
  fc.tuple(anyWord, anyWord).map(([a, b]) => `if (${a}) {\n  ${b}();\n}`),
  anyWord.map((a) => `// ${a} the ${a}`),
);

/** A small file that reads like code, so that files have much in common. */
export const anySource: fc.Arbitrary<string> = fc.array(anyLine, { maxLength: 8 }).map((lines) => lines.join("\n"));

/** A file to learn, as the arguments of `learn`. */
export type Source = readonly [path: string, language: string, text: string];

/** Some files with different paths. */
export const anyWorkspace: fc.Arbitrary<readonly Source[]> = fc
  .uniqueArray(fc.tuple(fc.constantFrom("a", "b", "lib/c", "lib/d", "e"), anySource), {
    maxLength: 5,
    selector: ([name]) => name,
  })
  .map((files) => files.map(([name, text]): Source => [`src/${name}.ts`, "typescript", text]));

/** The weights of all models here: random, but always the same. */
export const weights: Float32Array = initialWeights(1);

/** A model that has learnt `files`. */
export function modelOf(files: Iterable<Source>, knowledge = new Knowledge(20_000)): BuiltinModel {
  const model = new BuiltinModel({ knowledge, weights });
  for (const file of files) model.learn(...file);
  return model;
}

/** Places at which a model has suggestions in a workspace such as {@link anyWorkspace}. */
export const places: readonly CompletionRequest[] = [
  "|",
  "const user = |",
  'import { lo| } from "./order.ts";\n',
  'import { load } from "|";\n',
  "function save(order: Order) {\n  return |\n}\n",
  "if (total) {|\n}",
  "const items = order.fi|(items);\nuser.find(items);",
].map((marked) => readPlace(marked));

/** All that a model answers at {@link places}, to the last bit. */
export async function answersOf(model: BuiltinModel): Promise<string> {
  const answers = await Promise.all(
    places.map(async (place) => [
      await model.next({ ...place, limit: 100 }),
      model.complete({ ...place, maxLines: 4, limit: 3, minProbability: 0 }),
    ]),
  );
  const { files, characters, distinctTokens, languages } = model.statistics;
  return JSON.stringify([answers, files, characters, distinctTokens, languages]);
}

/** Numbers from -1 to 1, every third of them 0, the same for the same seed. */
function noise(length: number, seed: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => (i % 3 === 0 ? 0 : Math.sin((i + 1) * (seed + 1) * 12.9898)));
}

/** Evidence for `count` candidates, made up: the same for the same seed. */
export const placeOf = (count: number, seed: number) => ({
  features: noise(count * candidateFeatures, seed),
  place: noise(placeFeatures, seed + 500),
  count,
});

/** For laws that send a model many requests: a tenth of the usual number of cases. */
export const fewRuns = { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100) / 10) };
