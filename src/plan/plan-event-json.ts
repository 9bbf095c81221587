import { Edit, type TextEdit } from "../text/index.ts";
import type { PlanEvent } from "./plan-event.ts";

/** An event as one line of JSON, without a line break. */
export function planEventToJson(event: PlanEvent): string {
  return JSON.stringify(event);
}

/** An event of what {@link planEventToJson} wrote. Throws `SyntaxError` where it is no JSON. */
export function planEventFromJson(json: string): PlanEvent {
  return parseWithEdits(json) as PlanEvent;
}

/** A value of its JSON, with an `Edit` wherever JSON left one. Throws `SyntaxError` where it is no JSON. */
export function parseWithEdits(json: string): unknown {
  return JSON.parse(json, (_, value: unknown) => (isEdit(value) ? Edit.of(value.edits) : value));
}

/** Whether a value is what JSON leaves of an `Edit`: no other value that we keep has its replacements as the only key. */
function isEdit(value: unknown): value is { readonly edits: readonly TextEdit[] } {
  if (typeof value !== "object" || value === null || !("edits" in value)) return false;
  return Object.keys(value).length === 1 && Array.isArray(value.edits);
}
