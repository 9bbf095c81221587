import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { classifyChanges, type FileChange } from "../../src/analysis/changes/classify-changes.ts";
import { codeTokens } from "../../src/analysis/changes/code-tokens.ts";
import { scriptBlocks } from "../../src/analysis/graph/script-blocks.ts";
import { treeBlocks } from "../../src/analysis/graph/tree-blocks.ts";
import { BlockReader } from "../../src/analysis/index.ts";
import { hasManyUnresolvedNames } from "../../src/analysis/node/unresolved-names.ts";
import { withoutReasoning } from "../../src/answers/index.ts";
import { tryRepetition, withoutRepetition } from "../../src/answers/repetition.ts";
import { readJson } from "../../src/config/read-json.ts";
import { CodeIndex } from "../../src/context/code-index.ts";
import { declarationsOf } from "../../src/context/declarations.ts";
import { hideSecrets } from "../../src/context/hide-secrets.ts";
import { pythonTargets, rustTargets } from "../../src/context/import-targets.ts";
import { scriptExportsOf, scriptImportsOf } from "../../src/context/script-imports.ts";
import { bracketAlarms } from "../../src/edit/boundaries/bracket-alarms.ts";
import { detectFormat, formats, isElision, readAnswer } from "../../src/formats/index.ts";
import { codeUnits } from "../../src/formats/placing/code-units.ts";
import { parseForeignPattern, parsePythonPattern } from "../../src/grammar/notations/foreign-pattern.ts";
import { readGrammar } from "../../src/grammar/notations/read-grammar.ts";
import { BuiltinModel } from "../../src/model/index.ts";
import { ComponentParsers } from "../../src/names/components/component-parsers.ts";
import { isScript } from "../../src/names/index.ts";
import { parseScriptTree } from "../../src/names/node/index.ts";
import type { ScriptTree } from "../../src/names/script-node.ts";
import { codeTokens as exampleTokens } from "../../src/next/providers/example/example-tokens.ts";
import { parseFleetList } from "../../src/plan/fleet/fleet-list.ts";
import { isOnlyImports } from "../../src/plan/requested-imports.ts";
import { verifierFormat, verifierFormatNames } from "../../src/plan/verification/verifier-format.ts";
import {
  detectIndentUnit,
  languageById,
  languageOf,
  languages,
  Structure,
  type SyntaxTree,
} from "../../src/syntax/index.ts";
import { openSyntax } from "../../src/syntax/node/index.ts";
import { minimalEdit, parseUnifiedDiff, quotedRanges, toUnifiedDiff } from "../../src/text/index.ts";
import { skipByContent } from "../../src/workspace/read-source.ts";
import { maxRatio, measureGrowth, type Work } from "./measure-growth.ts";
import { nestedShapes, textShapes } from "./text-shapes.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
const components = new ComponentParsers();
beforeAll(() => Promise.all(["vue", "svelte"].map((language) => components.load(language))));
beforeAll(() => reader.load(["a.py", "a.go", "a.java", "a.rs", "a.cs"]));
afterAll(() => syntax[Symbol.dispose]());

const changed = (text: string) => text.replaceAll("1", "2").replaceAll("a", "b");

/** All of it is measured. */
function whole(run: (text: string) => void): Work<string> {
  return { prepare: (text) => text, run };
}

/**
 * What a parser takes is its own, and is bounded elsewhere: a text that it takes long for is left
 * out.
 */
const maxParseMs = 300;

function isParsedQuickly(path: string, text: string): boolean {
  const start = performance.now();
  syntax.tryParse({ language: languageOf(path).id, text })?.[Symbol.dispose]();
  return performance.now() - start < maxParseMs;
}

/** The blocks of a text whose tree is there already. */
function blocksIn(path: string): Work<SyntaxTree> {
  return {
    prepare: (text) =>
      isParsedQuickly(path, text) ? syntax.tryParse({ language: languageOf(path).id, text }) : undefined,
    run: (tree) => void treeBlocks(path, tree),
  };
}

function scriptBlocksIn(path: string): Work<{ readonly text: string; readonly tree: ScriptTree }> {
  return {
    prepare: (text) => {
      const tree = reader.tryScript(path, text);
      return tree && { text, tree };
    },
    run: ({ text, tree }) => void scriptBlocks(path, text, tree),
  };
}

function changesIn(path: string): Work<FileChange> {
  const state = (text: string) => ({ text, blocks: reader.tryBlocks(path, text) ?? [] });
  return {
    prepare: (text) =>
      isScript(path) || isParsedQuickly(path, text)
        ? { path, before: state(text), after: state(changed(text)) }
        : undefined,
    // Copies of the lists: what is known of them is kept by their identity.
    run: ({ before, after }) =>
      void classifyChanges([
        { path, before: { ...before!, blocks: [...before!.blocks] }, after: { ...after!, blocks: [...after!.blocks] } },
      ]),
  };
}

/** Every reader and comparer that meets a text which it did not choose. */
const readers: Readonly<Record<string, (text: string) => void>> = {
  ...Object.fromEntries(
    languages.map((language) => [`structure in ${language.id}`, (text) => void Structure.of(text, language)]),
  ),
  ...Object.fromEntries(
    (["gbnf", "ebnf", "lark", "emend"] as const).map((notation) => [
      `grammars in ${notation}`,
      (text) => void readGrammar(text, { notation, name: "x" }),
    ]),
  ),
  "patterns of foreign grammars": (text) => parseForeignPattern(text),
  "patterns of Lark": (text) => parsePythonPattern(text, ""),
  "brackets against indentation": (text) => void bracketAlarms(text, languageById("typescript")!),
  "strings in quotes": quotedRanges,
  "code as units": codeUnits,
  "lists of repositories": parseFleetList,
  "indentation unit": detectIndentUnit,
  "tokens of impact": (text) => codeTokens(text, languageById("typescript")!),
  "tokens of impact, Python": (text) => codeTokens(text, languageById("python")!),
  "private keys and remarks": skipByContent,
  "declarations of TypeScript": (text) => declarationsOf(text, "typescript"),
  "declarations of C#": (text) => declarationsOf(text, "csharp"),
  "declarations of Python": (text) => declarationsOf(text, "python"),
  "imports of Python": (text) => pythonTargets(new CodeIndex(), "a.py", text),
  "imports of Rust": (text) => rustTargets(new CodeIndex(), "a.rs", text),
  "imports of scripts": scriptImportsOf,
  "exports of scripts": scriptExportsOf,
  "imports alone": isOnlyImports,
  "names that nothing declares": hasManyUnresolvedNames,
  redaction: (text) => hideSecrets(text, "typescript"),
  "redaction of settings": (text) => hideSecrets(text, "properties"),
  ...Object.fromEntries(
    formats.map((format) => [
      `answers as ${format.name}`,
      (text) => void readAnswer(format.read({ paths: ["a.ts"] }), text),
    ]),
  ),
  "format of an answer": detectFormat,
  "reasoning of an answer": withoutReasoning,
  "elided code": (text) => isElision(text),
  "repetition in an answer": (text) => [tryRepetition(text), withoutRepetition(text)],
  "diff of texts": (text) => toUnifiedDiff({ path: "a", before: text, after: changed(text) }),
  "smallest edit": (text) => minimalEdit(text, changed(text)),
  "reading a diff": (text) => parseUnifiedDiff(`--- a/x\n+++ b/x\n@@ -1 +1 @@\n${text}`),
  "learning of the built-in model": (text) => new BuiltinModel().learn("a.ts", "typescript", text),
  "tokens of examples": (text) => exampleTokens(text),
  "code of components": (text) => components.tryCode("vue", text),
  "code of components, Svelte": (text) => components.tryCode("svelte", text),
  "templates of Vue": (text) =>
    components.tryCode("vue", `<script setup></script><template>${text}</template>`, { canParse: () => true }),
  "settings as JSON": (text) => readJson(text, "a.json"),
  ...Object.fromEntries(
    verifierFormatNames.map((name) => [`output of ${name}`, (text) => void verifierFormat(name).read(text)]),
  ),
};

const subjects: Readonly<Record<string, Work<never>>> = Object.fromEntries([
  ...Object.entries({
    "blocks of TypeScript": scriptBlocksIn("a.ts"),
    "blocks of Python": blocksIn("a.py"),
    "blocks of Go": blocksIn("a.go"),
    "blocks of Java": blocksIn("a.java"),
    "changes of TypeScript": changesIn("a.ts"),
    "changes of Python": changesIn("a.py"),
  }),
  ...Object.entries(readers).map(([name, run]) => [name, whole(run)] as const),
]);

describe("row 15: twice the text takes at most 2.5 times the work", () => {
  // Work that is not linear fails each time; a machine that is busy with other tests may do so
  // once.
  test.each(Object.entries(subjects))("row 15: %s", { timeout: 240_000, retry: 3 }, (subject, work) => {
    const superlinear: string[] = [];
    for (const [name, shape] of Object.entries(textShapes)) {
      if (subject.endsWith("of TypeScript") && nestedShapes.has(name)) continue;
      const { ratio, length } = measureGrowth(shape, work);
      if (ratio > maxRatio) superlinear.push(`${name}: ${ratio.toFixed(1)} at ${length}`);
    }
    expect(superlinear).toEqual([]);
  });
});
