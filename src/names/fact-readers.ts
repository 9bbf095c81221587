import type { BinderSupport } from "../languages/index.ts";
import type { PlainNode } from "../syntax/index.ts";
import { csharpNames } from "./csharp-names.ts";
import type { NameFacts } from "./name-facts.ts";
import { pythonNames } from "./python-names.ts";

/** What reads the names of a file with its classes, types and modules. */
export type FactReader = (path: string, text: string, root: PlainNode) => NameFacts;

/** The readers by the name that the record of a language has for them. */
export const factReaders: Readonly<Record<NonNullable<BinderSupport["reader"]>, FactReader>> = {
  python: pythonNames,
  csharp: csharpNames,
};
