import type { Document } from "../text/document.ts";
import type { Edit } from "../text/edit.ts";
import { type GrammarSource, Grammars } from "./grammars.ts";
import { languageById, scriptKindOf } from "./language.ts";
import { layoutErrors } from "./layout-errors.ts";
import { type ScriptParser, scriptErrors } from "./script-errors.ts";
import type { SyntaxIssue } from "./syntax-issue.ts";
import { ParsedTree, type SyntaxTree } from "./tree.ts";
import { treeErrors } from "./tree-errors.ts";

/** What {@link createSyntax} is given: the outside, as functions. */
export interface SyntaxOptions extends GrammarSource {
  /** Reads JavaScript and its kin for their errors. Without it their trees tell, a little less precisely. */
  readonly parseScript?: ScriptParser;
}

/** Parses the languages that have a grammar. It owns its grammars and trees, and closes them when it is disposed. */
export interface Syntax extends Disposable {
  /** Loads the language's grammar, so that {@link tryParse} can answer. Tells whether there is one. */
  load(languageId: string): Promise<boolean>;
  /** The tree of a document, or `undefined` when its language has no grammar. The caller disposes it. */
  parse(document: Pick<Document, "language" | "text">): Promise<SyntaxTree | undefined>;
  /** As {@link parse}, at once; also `undefined` while the grammar is not loaded. */
  tryParse(document: Pick<Document, "language" | "text">): SyntaxTree | undefined;
  /**
   * The tree of the text after `edit`, which speaks of the text of `tree`. `tree` stays open and as it is.
   *
   * Law: it equals the tree of that text parsed from nothing.
   */
  reparse(tree: SyntaxTree, edit: Edit): SyntaxTree;
  /**
   * What is wrong with a document's syntax, in the order of its text; nothing when its language cannot be parsed.
   *
   * Broken text is normal input and never throws. A `tree` of the same text saves parsing it again.
   */
  syntaxErrors(document: Pick<Document, "uri" | "language" | "text">, tree?: SyntaxTree): Promise<SyntaxIssue[]>;
  /** How many trees are open. */
  readonly openTrees: number;
}

/** Makes a {@link Syntax} over the given files. Nothing is read before it is needed. */
export function createSyntax(options: SyntaxOptions): Syntax {
  const grammars = new Grammars(options);
  const open = new Set<ParsedTree>();
  const onClose = (tree: ParsedTree) => void open.delete(tree);

  function kept(tree: ParsedTree): ParsedTree {
    open.add(tree);
    return tree;
  }

  function tryParse({ language: id, text }: Pick<Document, "language" | "text">): ParsedTree | undefined {
    const language = languageById(id);
    const parser = language?.grammar && grammars.get(language.grammar);
    return parser && kept(ParsedTree.parse(language, text, parser, onClose));
  }

  async function load(id: string): Promise<boolean> {
    const grammar = languageById(id)?.grammar;
    if (grammar === undefined) return false;
    await grammars.load(grammar);
    return true;
  }

  async function parse(document: Pick<Document, "language" | "text">): Promise<ParsedTree | undefined> {
    await load(document.language);
    return tryParse(document);
  }

  async function parsedErrors(document: Pick<Document, "language" | "text">): Promise<SyntaxIssue[]> {
    const tree = await parse(document);
    try {
      return tree === undefined ? [] : treeErrors(tree);
    } finally {
      tree?.[Symbol.dispose]();
    }
  }

  return {
    load,
    parse,
    tryParse,
    reparse: (tree, edit) => kept((tree as ParsedTree).reparse(edit)),
    async syntaxErrors(document, tree) {
      const language = languageById(document.language);
      const kind = language && scriptKindOf(language, document.uri);
      if (kind !== undefined && options.parseScript !== undefined) {
        return scriptErrors(options.parseScript, document.text, kind, document.uri);
      }
      const errors = tree?.text === document.text ? treeErrors(tree) : await parsedErrors(document);
      if (language?.id !== "python") return errors;
      return [...errors, ...layoutErrors(document.text, language)].sort((a, b) => a.range.start - b.range.start);
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
