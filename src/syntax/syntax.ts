import type { Document } from "../text/document.ts";
import type { Edit } from "../text/edit.ts";
import { type GrammarSource, Grammars } from "./grammars.ts";
import { languageById, scriptKindOf } from "./language.ts";
import { layoutErrors } from "./layout-errors.ts";
import { nestsTooDeeply } from "./nesting.ts";
import { type ScriptParser, scriptErrors } from "./script-errors.ts";
import { maxStepsAtOnce, parseAtOnce, parseInSlices, type SharedThread, TooLongTexts } from "./sliced-parse.ts";
import type { SyntaxIssue } from "./syntax-issue.ts";
import { ParsedTree, type SyntaxTree } from "./tree.ts";
import { treeErrorsInSlices } from "./tree-errors.ts";

/** What {@link createSyntax} is given: the outside, as functions. */
export interface SyntaxOptions extends GrammarSource {
  /**
   * Reads JavaScript and its kin for their errors. Without it their trees tell, a little less
   * precisely.
   */
  readonly parseScript?: ScriptParser;
  /**
   * The thread, where others wait for it. Without it every text is parsed at once, however long
   * that takes.
   */
  readonly thread?: SharedThread;
}

/**
 * Parses the languages that have a grammar. It owns its grammars and trees, and closes them when it
 * is disposed.
 */
export interface Syntax extends Disposable {
  /**
   * Loads the language's grammar, so that {@link tryParse} can answer. Tells whether there is one.
   */
  load(languageId: string): Promise<boolean>;
  /**
   * The tree of a document, or `undefined` when its language has no grammar, or the text takes too
   * long or nests too deeply. The caller disposes it.
   */
  parse(document: Pick<Document, "language" | "text">): Promise<SyntaxTree | undefined>;
  /**
   * As {@link parse}, at once; also `undefined` while the grammar is not loaded, and for a text
   * that takes longer than others can wait.
   */
  tryParse(document: Pick<Document, "language" | "text">): SyntaxTree | undefined;
  /** As {@link tryParse}, with pauses in which other work can run. */
  tryParseInSlices(document: Pick<Document, "language" | "text">): Promise<SyntaxTree | undefined>;
  /**
   * The tree of the text after `edit`, which speaks of the text of `tree`; `undefined` where it
   * takes too long. `tree` stays open and as it is.
   *
   * Law: it equals the tree of that text parsed from nothing.
   */
  reparse(tree: SyntaxTree, edit: Edit): Promise<SyntaxTree | undefined>;
  /**
   * What is wrong with a document's syntax, in the order of its text; nothing when its language
   * cannot be parsed.
   *
   * Broken text is normal input and never throws. A `tree` of the same text saves parsing it again.
   */
  syntaxErrors(document: Pick<Document, "uri" | "language" | "text">, tree?: SyntaxTree): Promise<SyntaxIssue[]>;
  /** How many trees are open. */
  readonly openTrees: number;
}

/**
 * After so many UTF-16 units, some 20 milliseconds, others have their turn; short texts do not
 * count.
 */
const turnCharacters = 100_000;
const shortCharacters = 5_000;

/** Makes a {@link Syntax} over the given files. Nothing is read before it is needed. */
export function createSyntax(options: SyntaxOptions): Syntax {
  const grammars = new Grammars(options);
  const open = new Set<ParsedTree>();
  const onClose = (tree: ParsedTree) => void open.delete(tree);

  function kept(tree: ParsedTree): ParsedTree {
    open.add(tree);
    return tree;
  }

  function parserOf(id: string) {
    const language = languageById(id);
    const parser = language?.grammar && grammars.get(language.grammar);
    return parser && { language, parser };
  }

  function tryParse({ language: id, text }: Pick<Document, "language" | "text">): ParsedTree | undefined {
    const found = parserOf(id);
    if (found === undefined || nestsTooDeeply(text, found.language.grammar)) return undefined;
    const tree = parseAtOnce(found.parser, text, options.thread);
    return tree && kept(ParsedTree.of(found.language, text, { parser: found.parser, tree }, onClose));
  }

  const tooLong = new TooLongTexts();
  let spent = 0;

  /**
   * Reads a text, which cannot be cut in slices. Where much was read at once others have their turn
   * first.
   */
  async function inTurn<T>(text: string, read: () => T): Promise<Awaited<T>> {
    if (text.length > shortCharacters) {
      if (spent > turnCharacters) {
        await options.thread?.yieldThread();
        spent = 0;
      }
      spent += text.length;
    }
    return await read();
  }

  async function load(id: string): Promise<boolean> {
    const grammar = languageById(id)?.grammar;
    if (grammar === undefined) return false;
    await grammars.load(grammar);
    return true;
  }

  async function parse(document: Pick<Document, "language" | "text">): Promise<ParsedTree | undefined> {
    await load(document.language);
    const { language: id, text } = document;
    const found = parserOf(id);
    if (found === undefined || tooLong.holds(id, text)) return undefined;
    if (nestsTooDeeply(text, found.language.grammar)) return undefined;
    const tree = await parseInSlices(found.parser, text, options.thread);
    if (tree === undefined) tooLong.add(id, text);
    return tree && kept(ParsedTree.of(found.language, text, { parser: found.parser, tree }, onClose));
  }

  async function errorsOf(tree: SyntaxTree): Promise<SyntaxIssue[]> {
    const slices = treeErrorsInSlices(tree);
    for (let next = slices.next(); ; next = slices.next()) {
      if (next.done === true) return next.value;
      await options.thread?.yieldThread();
    }
  }

  async function parsedErrors(document: Pick<Document, "language" | "text">): Promise<SyntaxIssue[]> {
    const tree = await parse(document);
    try {
      return tree === undefined ? [] : await errorsOf(tree);
    } finally {
      tree?.[Symbol.dispose]();
    }
  }

  return {
    load,
    parse,
    tryParse,
    async tryParseInSlices({ language: id, text }) {
      const found = parserOf(id);
      if (found === undefined || nestsTooDeeply(text, found.language.grammar)) return undefined;
      const tree = await parseInSlices(found.parser, text, options.thread, { maxSteps: maxStepsAtOnce });
      return tree && kept(ParsedTree.of(found.language, text, { parser: found.parser, tree }, onClose));
    },
    async reparse(tree, edit) {
      const { language, text } = tree;
      if (tooLong.holds(language.id, text)) return undefined;
      const newText = edit.apply(text);
      if (nestsTooDeeply(newText, language.grammar)) return undefined;
      const after = await (tree as ParsedTree).reparse(edit, newText, options.thread);
      if (after === undefined) tooLong.add(language.id, text);
      return after && kept(after);
    },
    async syntaxErrors(document, tree) {
      const language = languageById(document.language);
      const kind = language && scriptKindOf(language, document.uri);
      if (kind !== undefined && options.parseScript !== undefined) {
        const { parseScript } = options;
        const parse: ScriptParser = (text, goal) => inTurn(text, () => parseScript(text, goal));
        return scriptErrors(parse, document.text, kind, document.uri);
      }
      const errors = tree?.text === document.text ? await errorsOf(tree) : await parsedErrors(document);
      if (language?.id !== "python") return errors;
      const misplaced = await inTurn(document.text, () => layoutErrors(document.text, language));
      return [...errors, ...misplaced].sort((a, b) => a.range.start - b.range.start);
    },
    get openTrees() {
      return open.size;
    },
    [Symbol.dispose]() {
      for (const tree of [...open]) tree[Symbol.dispose]();
      grammars[Symbol.dispose]();
    },
  };
}
