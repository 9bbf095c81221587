import { Edit, type TextEdit } from "../text/index.ts";
import type { PlanEvent } from "./plan-event.ts";

/** An event as JSON, without line breaks. */
export function planEventToJson(event: PlanEvent): string {
  return JSON.stringify(event);
}

/** The event from the JSON of {@link planEventToJson}. Throws `SyntaxError` for invalid JSON. */
export function planEventFromJson(json: string): PlanEvent {
  return parseWithEdits(json) as PlanEvent;
}

/** Parses JSON and restores each `Edit` in it. Throws `SyntaxError` for invalid JSON. */
export function parseWithEdits(json: string): unknown {
  return JSON.parse(json, (_, value: unknown) => (isEdit(value) ? Edit.of(value.edits) : value));
}

/**
 * Whether a value is the JSON form of an `Edit`: an object whose only key is `edits`. No other
 * stored value has this form.
 */
function isEdit(value: unknown): value is { readonly edits: readonly TextEdit[] } {
  if (typeof value !== "object" || value === null || !("edits" in value)) return false;
  return Object.keys(value).length === 1 && Array.isArray(value.edits);
}
