import { type Clock, runWithTimeout } from "../../../async/index.ts";
import type { Model, ModelCallOptions } from "../../../model/index.ts";
import { EmendError, InvariantError } from "../../../text/index.ts";
import type { NextEditFormatName } from "../../formats/next-edit-format.ts";
import { formatFor, type KnownModel, type NextEditFormatChoice } from "../../formats/next-edit-formats.ts";

/**
 * The model to choose a format for, what is known of it, and the time limit for its server's
 * description.
 */
export interface ChooseOptions extends ModelCallOptions {
  readonly model: Model;
  readonly known: KnownModel;
  readonly clock: Clock;
  readonly limitMs: number;
}

/**
 * Returns the format for requests to a model, see {@link formatFor}. When the model's name does not
 * identify a format that it was trained for, its server is requested to describe it. If the server
 * fails or exceeds `limitMs`, the name alone decides.
 *
 * An abort rejects with the signal's own reason.
 */
export async function chooseFormat(
  named: NextEditFormatName | undefined,
  { model, known: knownBefore, clock, limitMs, signal }: ChooseOptions,
): Promise<NextEditFormatChoice> {
  const known: KnownModel = model.fillsByChat === true ? { fillBy: "chat", ...knownBefore } : knownBefore;
  const byName = formatFor(named, known);
  const { describe } = model;
  const isDetermined = named !== undefined || known.family !== undefined || describe === undefined;
  if (isDetermined || byName.kind === "none" || !forAnyModel.has(byName.format.name)) return byName;
  const late = () => new EmendError("not-wanted", "This answer is no longer needed.");
  try {
    const described = await runWithTimeout((stop) => describe.call(model, { signal: stop }), {
      ...{ clock, limitMs, signal, late },
    });
    return formatFor(named, { ...known, ...described });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof InvariantError) throw error;
    return byName;
  }
}

/** The formats for models that were trained for none. */
const forAnyModel: ReadonlySet<NextEditFormatName> = new Set(["chat", "fill-in-the-middle"]);
