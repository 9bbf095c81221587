import type { Clock } from "../codebase/index.ts";
import { type Model, type ModelCallOptions, waitFor } from "../model/index.ts";
import { EmendError, InvariantError } from "../text/index.ts";
import { formatFor, type KnownModel, type NextEditFormatChoice } from "./formats/format-for.ts";
import type { NextEditFormatName } from "./next-edit-format.ts";

/** The model to choose for, what is known of it, and how long its server may take to say more. */
export interface ChooseOptions extends ModelCallOptions {
  readonly model: Model;
  readonly known: KnownModel;
  readonly clock: Clock;
  readonly limitMs: number;
}

/**
 * The format that a model is asked in, see {@link formatFor}. Where its name does not say that it was trained for one, its server is asked what it
 * has; a server that does not tell, or not in time, leaves it at the name.
 *
 * An abort rejects with the signal's own reason.
 */
export async function chooseFormat(
  named: NextEditFormatName | undefined,
  { model, known: told, clock, limitMs, signal }: ChooseOptions,
): Promise<NextEditFormatChoice> {
  const known: KnownModel = model.fillsByChat === true ? { fillBy: "chat", ...told } : told;
  const byName = formatFor(named, known);
  const isTold = named !== undefined || known.family !== undefined || model.describe === undefined;
  if (isTold || byName.kind === "none" || !forAnyModel.has(byName.format.name)) return byName;
  const connection = new AbortController();
  const late = () => new EmendError("not-wanted", "Nobody waits for this answer any more.");
  const stop = () => connection.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const work = model.describe({ signal: connection.signal });
    const described = await waitFor(work, { clock, limitMs, signal, late });
    return formatFor(named, { ...known, ...described });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof InvariantError) throw error;
    return byName;
  } finally {
    signal?.removeEventListener("abort", stop);
    connection.abort(late());
  }
}

/** The formats for models that were trained for none. */
const forAnyModel: ReadonlySet<NextEditFormatName> = new Set(["chat", "fill-in-the-middle"]);
