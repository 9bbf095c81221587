import { parseModelName } from "../../model/index.ts";
import type { NextEditFormat, NextEditFormatName } from "../next-edit-format.ts";
import { nextEditFormatNamed, nextEditFormats } from "./formats.ts";

/** What is known of a model, such as a `ModelReport` says it. */
export interface KnownModel {
  /** How it was named: `ollama:zeta-2`, or as its server calls it, `zed-industries/zeta-2`. */
  readonly name: string;
  /** What its server says that it is, where it says so: a family or the name of the model that was loaded. */
  readonly family?: string;
  /** The model's file, where its server says that besides. */
  readonly file?: string;
  /** How it was trained, where the server tells. */
  readonly training?: "base" | "instruct";
  /** Who marks the hole when it fills; by `chat` it is a chat model. */
  readonly fillBy?: "server" | "template" | "chat";
  readonly can: { readonly fill: boolean; readonly chat: boolean };
}

/** Which format a model is asked in, and why, in a sentence for a person. */
export type NextEditFormatChoice =
  | { readonly kind: "chosen"; readonly format: NextEditFormat; readonly reason: string }
  | { readonly kind: "none"; readonly reason: string };

/**
 * The format that was named; else the one that the model is known to be trained for, by what its server or else its
 * name says, as a whole; else the one for what it can do.
 *
 * A name says a model only if nothing else is in it than who made it, its size and how it was packed: a model that was made of
 * another, or a later one, may have been trained for other marks.
 */
export function formatFor(named: string | undefined, model: KnownModel): NextEditFormatChoice {
  if (named !== undefined) {
    const format = nextEditFormatNamed(named);
    if (format !== undefined) return chosen(format, `The settings name the format ${named}.`);
    const names = nextEditFormats.map(({ name }) => name).join(", ");
    return { kind: "none", reason: `There is no format \`${named}\` for next edits; there are ${names}.` };
  }
  for (const said of [model.family, model.file, nameAtServer(model.name)]) {
    const trained = said === undefined ? undefined : tryTrainedFor(said);
    if (trained !== undefined)
      return chosen(nextEditFormatNamed(trained)!, `The model is ${said}, which is trained for it.`);
  }
  if (nameAtServer(model.name) === builtin) return { kind: "none", reason: builtinReason };
  const unknown = `It is not known that ${nameAtServer(model.name)} was trained for next edits`;
  const isFiller = model.can.fill && model.fillBy !== "chat" && (model.training === "base" || !prefersChat(model));
  if (isFiller)
    return chosen(nextEditFormatNamed("fill-in-the-middle")!, `${unknown}, so it is asked as it fills in the middle.`);
  if (model.can.chat) return chosen(nextEditFormatNamed("chat")!, `${unknown}, so it is asked in a chat.`);
  return { kind: "none", reason: `${unknown}, and it can neither fill in the middle nor chat.` };
}

const builtin = "builtin";

/** Of 240 second hunks of real commits in four repositories it proposed something for 26, for 3 of these what was edited there. */
const builtinReason =
  "The built-in model completes text, and seldom knows the next edit, so it is not asked for one. Name another in `next.model`, or set `next.format` to `fill-in-the-middle` to ask it all the same.";

function prefersChat({ training, can }: KnownModel): boolean {
  return training === "instruct" && can.chat;
}

function chosen(format: NextEditFormat, reason: string): NextEditFormatChoice {
  return { kind: "chosen", format, reason };
}

/** What a server calls the model, or the model's file without its folder. */
function nameAtServer(name: string): string {
  const parsed = parseModelName(name).name;
  if (parsed === undefined) return name;
  if (parsed.provider === "builtin") return builtin;
  if (parsed.provider === "gguf") return parsed.path.replace(/^.*[\\/]/, "");
  return parsed.model ?? name;
}

/** The format that the model of this name was trained for. */
function tryTrainedFor(said: string): NextEditFormatName | undefined {
  const own = said
    .toLowerCase()
    .replace(/^.*[\\/]/, "")
    .replace(/\.gguf$/, "");
  const words = own.split(/[-_:@ ]+|\.(?=[a-z])/).filter((word) => word !== "" && !packing.test(word));
  return trainedModels.get(words.join("-"));
}

/** Words of a model's name that say its size, or how its weights were packed. */
const packing = /^(?:\d+(?:\.\d+)?b|latest|gguf|mlx|awq|gptq|i?q\d|k|xs|s|m|l|xl|0|1|[bf]p?16|fp8|int[48]|[48]bit)$/;

/** The names of models, their words put together with `-`. */
const trainedModels: ReadonlyMap<string, NextEditFormatName> = new Map<string, NextEditFormatName>([
  ["zeta", "zeta"],
  ["zeta-2", "zeta-2"],
  ["zeta2", "zeta-2"],
  ["zeta-2.1", "zeta-2.1"],
  ["zeta2.1", "zeta-2.1"],
  ["sweep-next-edit", "sweep"],
  ["sweep-next-edit-v2", "sweep"],
  ["instinct", "instinct"],
  ["mercury-edit", "mercury"],
  ["mercury-coder-nextedit", "mercury"],
]);
