import { effect, type Signal, signal } from "@preact/signals";

/**
 * A value that is stored as JSON in `localStorage` for the next visit. `first` is used where the
 * stored value is missing, cannot be parsed or has another type.
 */
export function kept<Value>(key: string, first: Value): Signal<Value> {
  const value = signal(read(key, first));
  effect(() => localStorage.setItem(key, JSON.stringify(value.value)));
  return value;
}

function read<Value>(key: string, first: Value): Value {
  const text = localStorage.getItem(key);
  if (text === null) return first;
  try {
    const value = JSON.parse(text) as Value;
    return typeof value === typeof first ? value : first;
  } catch {
    return first;
  }
}
