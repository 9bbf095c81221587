import type { Message } from "./server-answer.ts";

/** The object in a field, or an empty one. */
export function objectIn(message: Message | undefined, field: string): Message {
  const value = message?.[field];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Message) : {};
}

/** The objects of the list in a field; none where there is no list. */
export function objectsIn(message: Message | undefined, field: string): readonly Message[] {
  const value = message?.[field];
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Message => typeof item === "object" && item !== null);
}

/** The text in a field; `undefined` for anything else. */
export function textIn(message: Message | undefined, field: string): string | undefined {
  const value = message?.[field];
  return typeof value === "string" ? value : undefined;
}

/** The number in a field; `undefined` for anything else. */
export function numberIn(message: Message | undefined, field: string): number | undefined {
  const value = message?.[field];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The sum of the numbers that `of` finds; `undefined` where it finds none. */
export function sumOf<T>(items: readonly T[], of: (item: T) => number | undefined): number | undefined {
  let sum: number | undefined;
  for (const item of items) {
    const value = of(item);
    if (value !== undefined) sum = (sum ?? 0) + value;
  }
  return sum;
}
