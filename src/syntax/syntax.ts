import { runStepsInTurns } from "../async/index.ts";
import { languageById, scriptKindOf } from "../languages/index.ts";
import type { Document, Edit } from "../text/index.ts";
import { type GrammarSource, Grammars } from "./grammars.ts";
import { jumpErrors } from "./jump-errors.ts";
import type { LastTree } from "./last-tree.ts";
import { layoutErrors } from "./layout-errors.ts";
import { nestsTooDeeply } from "./nesting.ts";
import { type ScriptParser, scriptErrors } from "./script-errors.ts";
import { maxStepsAtOnce, parseAtOnce, parseInSlices, type SharedThread, TooLongTexts } from "./sliced-parse.ts";
import type { SyntaxDiagnostic } from "./syntax-diagnostic.ts";
import { ParsedTree, type SyntaxTree } from "./tree.ts";
import { treeErrorsInSlices } from "./tree-errors.ts";

/** Input of {@link createSyntax}: access to grammars, parsers and the thread. */
export interface SyntaxOptions extends GrammarSource {
  /**
   * Parses JavaScript dialects for their errors. Without it errors are taken from the parse tree,
   * which is less precise.
   */
  readonly parseScript?: ScriptParser;
  /**
   * Finds the errors of a long text elsewhere; `undefined` where that fails, which the text is then
   * parsed here for. Without it all are found here.
   */
  readonly errorsApart?: (
    document: Pick<Document, "uri" | "language" | "text">,
  ) => Promise<SyntaxDiagnostic[] | undefined>;
  /**
   * The thread, where other work shares it. Without it every text is parsed at once, however long
   * that takes.
   */
  readonly thread?: SharedThread;
}

/**
 * Parses the languages that have a grammar. It owns its grammars and trees; disposing it closes
 * them.
 */
export interface Syntax extends Disposable {
  /**
   * Loads the language's grammar, which {@link tryParse} needs. Returns whether there is one.
   * Rejects with `EmendError` `grammar-unreadable` where it cannot be read.
   */
  load(languageId: string): Promise<boolean>;
  /**
   * The tree of a document; `undefined` when its language has no grammar, or the text takes too
   * long or nests too deeply. The caller disposes it. Rejects as {@link load} does.
   */
  parse(document: Pick<Document, "language" | "text">): Promise<SyntaxTree | undefined>;
  /**
   * As {@link parse}, synchronously; also `undefined` while the grammar is not loaded, and for a
   * text that would block the thread for too long.
   */
  tryParse(document: Pick<Document, "language" | "text">): SyntaxTree | undefined;
  /** As {@link tryParse}, with pauses in which other work can run. */
  tryParseInSlices(document: Pick<Document, "language" | "text">): Promise<SyntaxTree | undefined>;
  /**
   * The tree of the text after `edit`, which applies to the text of `tree`; `undefined` where it
   * takes too long or nests too deeply. `tree` is not changed or disposed. The caller disposes the
   * result. Rejects with `EmendError` `disposed` where `tree` is disposed, and `out-of-bounds`
   * where `edit` ends past the end of its text.
   *
   * Law: it equals the tree of that text parsed from scratch.
   */
  reparse(tree: SyntaxTree, edit: Edit): Promise<SyntaxTree | undefined>;
  /**
   * The syntax errors of a document, in the order of its text; none when its language cannot be
   * parsed, or the text takes too long or nests too deeply.
   *
   * Broken text is normal input and never throws. Rejects as {@link load} does where a grammar is
   * needed.
   */
  syntaxErrors(
    document: Pick<Document, "uri" | "language" | "text">,
    options?: SyntaxErrorOptions,
  ): Promise<SyntaxDiagnostic[]>;
  /** The number of trees that are not disposed. */
  readonly openTrees: number;
}

/**
 * What saves {@link Syntax.syntaxErrors} from parsing a text from scratch. The errors are the same.
 */
export interface SyntaxErrorOptions {
  /** The tree of the text. */
  readonly tree?: SyntaxTree | undefined;
  /** The tree of the text whose errors were found before; becomes that of the text. */
  readonly last?: LastTree | undefined;
}

/**
 * The number of UTF-16 code units, about 20 milliseconds of work, after which other work may run.
 * Short texts do not count.
 */
const turnCharacters = 100_000;
const shortCharacters = 5_000;

/**
 * The length above which errors are found apart, in UTF-16 code units. Where a text is one error,
 * the parser's last step takes some 100 milliseconds for so many.
 */
const maxCharactersHere = 400_000;

/**
 * Creates a {@link Syntax}. Nothing is read before it is needed. A call that needs a grammar
 * rejects with `EmendError` `grammar-unreadable` where that cannot be read.
 */
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
    if (found === undefined || exceeds([tooLong, tooLongInSlices, tooLongAtOnce], id, text)) return undefined;
    if (nestsTooDeeply(text, found.language)) return undefined;
    const tree = parseAtOnce(found.parser, text, options.thread);
    if (tree === undefined) tooLongAtOnce.add(id, text);
    return tree && kept(ParsedTree.of(found.language, text, { parser: found.parser, tree }, onClose));
  }

  // One for each limit, the largest first: what exceeds one exceeds those behind it.
  const tooLong = new TooLongTexts();
  const tooLongInSlices = new TooLongTexts();
  const tooLongAtOnce = new TooLongTexts();
  const exceeds = (limits: readonly TooLongTexts[], id: string, text: string) =>
    limits.some((limit) => limit.holds(id, text));
  let spent = 0;

  /** Runs a parser that can't be sliced. After much work in a row, other work runs first. */
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
    if (nestsTooDeeply(text, found.language)) return undefined;
    const tree = await parseInSlices(found.parser, text, options.thread);
    if (tree === undefined) tooLong.add(id, text);
    return tree && kept(ParsedTree.of(found.language, text, { parser: found.parser, tree }, onClose));
  }

  async function errorsOf(tree: SyntaxTree, uri: string): Promise<SyntaxDiagnostic[]> {
    const errors = await runStepsInTurns(treeErrorsInSlices(tree), async () => options.thread?.yieldThread());
    return errors.length > 0 ? errors : jumpErrors(tree, uri);
  }

  async function reparse(tree: SyntaxTree, edit: Edit): Promise<ParsedTree | undefined> {
    const { language, text } = tree;
    if (tooLong.holds(language.id, text)) return undefined;
    const newText = edit.apply(text);
    if (nestsTooDeeply(newText, language)) return undefined;
    const after = await (tree as ParsedTree).reparse(edit, newText, options.thread);
    if (after === undefined) tooLong.add(language.id, text);
    return after && kept(after);
  }

  async function parsedErrors(
    document: Pick<Document, "uri" | "language" | "text">,
    last: LastTree | undefined,
  ): Promise<SyntaxDiagnostic[]> {
    const base = last?.baseOf(document.language, document.text);
    const tree = await (base === undefined ? parse(document) : reparse(base.tree, base.edit));
    if (tree === undefined) return [];
    let isKept = false;
    try {
      const errors = await errorsOf(tree, document.uri);
      last?.keep(tree, errors);
      isKept = last !== undefined;
      return errors;
    } finally {
      if (!isKept) tree[Symbol.dispose]();
    }
  }

  return {
    load,
    parse,
    tryParse,
    async tryParseInSlices({ language: id, text }) {
      const found = parserOf(id);
      if (found === undefined || exceeds([tooLong, tooLongInSlices], id, text)) return undefined;
      if (nestsTooDeeply(text, found.language)) return undefined;
      const tree = await parseInSlices(found.parser, text, options.thread, { maxSteps: maxStepsAtOnce });
      if (tree === undefined) tooLongInSlices.add(id, text);
      return tree && kept(ParsedTree.of(found.language, text, { parser: found.parser, tree }, onClose));
    },
    reparse,
    async syntaxErrors(document, { tree, last } = {}) {
      const language = languageById(document.language);
      const kind = language && scriptKindOf(language, document.uri);
      if (kind !== undefined && options.parseScript !== undefined) {
        const { parseScript } = options;
        const parse: ScriptParser = (text, goal) => inTurn(text, () => parseScript(text, goal));
        return scriptErrors(parse, document.text, kind, document.uri);
      }
      const isKnown = tree?.text === document.text;
      if (!isKnown && language?.grammar !== undefined && document.text.length > maxCharactersHere) {
        const { uri, text } = document;
        const found = await options.errorsApart?.({ uri, language: document.language, text });
        if (found !== undefined) return found;
      }
      const errors = isKnown ? await errorsOf(tree, document.uri) : await parsedErrors(document, last);
      if (language?.checksLayout !== true) return errors;
      const misplaced = await inTurn(document.text, () => layoutErrors(document.text, language));
      return [...errors, ...misplaced].sort((a, b) => a.start - b.start);
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
