import { ComponentParsers, type NameQuestion, readNames } from "../../names/index.ts";
import { parseBrokenScript, parseScriptTree } from "../../names/node/index.ts";
import { createSyntax, type Syntax } from "../../syntax/index.ts";
import { readGrammar, serveIsolated } from "../../syntax/node/index.ts";
import { type NamePart, partsOf } from "./names-apart.ts";

let opened: Syntax | undefined;
const components = new ComponentParsers();

serveIsolated<NameQuestion, NamePart>(async function* (question) {
  // This process does nothing else, so parsing needs no pauses and no limit.
  opened ??= createSyntax({ readGrammar });
  await Promise.all([opened.load(question.language), components.load(question.language)]);
  const parts = { parseScript: parseScriptTree, parseBroken: parseBrokenScript, syntax: opened, components };
  const table = readNames(parts, question);
  if (table !== undefined) yield* partsOf(table);
});
