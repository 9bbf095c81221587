import type { CodeBlock } from "../../graph/code-block.ts";
import type { ScriptTree } from "../../graph/script-tree.ts";
import type { AtomicChange } from "../../impact/atomic-change.ts";
import type { NodeInText } from "../script/node-pattern.ts";
import { nodesAround } from "../script/script-nodes.ts";
import { callChanges, promisedMembers } from "./call-changes.ts";
import { type ChangeFacts, changeFacts } from "./change-facts.ts";
import { exampleEdits, learnRewrites } from "./edits-by-example.ts";
import { givenProperties } from "./given-properties.ts";
import { movedFiles } from "./moved-files.ts";
import { literalChange } from "./renamed-literals.ts";

/**
 * The text and tree of a file before or after a change; `undefined` where there is none, or it
 * cannot be read.
 */
export type SideOf = (
  path: string,
  side: "before" | "after",
) => { readonly text: string; readonly tree: ScriptTree } | undefined;

/**
 * All facts of classified changes, also those that only trees tell: how functions are called now,
 * and what the change's own edits teach.
 */
export function factsWithTrees(changes: readonly AtomicChange[], sideOf: SideOf): ChangeFacts {
  const declarations = changes.map(({ before, after }) => ({
    before: before && nodeOf(before, sideOf(before.path, "before")),
    after: after && nodeOf(after, sideOf(after.path, "after")),
  }));
  const edited = declarations.flatMap(({ before, after }) =>
    before === undefined || after === undefined ? [] : [{ before, after }],
  );
  const examples = edited.flatMap((one) => exampleEdits(one.before, one.after));
  // What an object declares for others, as a table of codes does, says nothing of what another
  // table is to say.
  const declared = new Set(
    changes.flatMap(({ after, addedNames }) => (/^(interface|type|class)$/.test(after?.kind ?? "") ? [] : addedNames)),
  );
  const facts = changeFacts(changes);
  return {
    ...facts,
    promised: new Set([...(facts.promised ?? []), ...promisedMembers(changes, sideOf)]),
    calls: callChanges(changes, sideOf),
    movedFiles: movedFiles(changes, (path, side) => sideOf(path, side) !== undefined),
    literals: literalChange(declarations),
    given: new Map([...givenProperties(edited)].filter(([name]) => !declared.has(name))),
    rewrites: learnRewrites(examples),
  };
}

function nodeOf({ own }: CodeBlock, file: ReturnType<SideOf>): NodeInText | undefined {
  if (file === undefined) return undefined;
  const node = nodesAround(file.tree.program, own.start, own.end).at(-1)!;
  // Of a class the header alone is the block, and of a file nothing is.
  return node.type === "Program" ? undefined : { node, text: file.text };
}
