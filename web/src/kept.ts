import { effect, type Signal, signal } from "@preact/signals";

/** Where a value of the page is stored. */
export interface KeptPlace {
  /**
   * The URI of the folder that the value belongs to; `page` for a value of all folders. Servers of
   * different folders may use the same port one after the other, and so the same storage.
   */
  readonly of: string;
  /** `localStorage` by default; `sessionStorage` for a value of one tab of the browser. */
  readonly storage?: Pick<Storage, "getItem" | "setItem">;
}

/**
 * A value that is stored as JSON for the next visit. `first` is used where the stored value is
 * missing, cannot be parsed or has another type.
 */
export function kept<Value>(name: string, first: Value, { of, storage = localStorage }: KeptPlace): Signal<Value> {
  const key = of === "page" ? `emend.${name}` : `emend.${name}:${of}`;
  const value = signal(read(storage.getItem(key), first));
  effect(() => storage.setItem(key, JSON.stringify(value.value)));
  return value;
}

function read<Value>(text: string | null, first: Value): Value {
  if (text === null) return first;
  try {
    const value = JSON.parse(text) as Value;
    return typeof value === typeof first ? value : first;
  } catch {
    return first;
  }
}
