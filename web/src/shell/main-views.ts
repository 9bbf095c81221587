import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { MainArea, MainView } from "../page-services.ts";

/** The views of the main area, and the view in front of the editors. */
export class MainViews implements MainArea {
  readonly #all: Signal<readonly MainView[]> = signal([]);
  readonly #front: Signal<string | undefined> = signal(undefined);

  /** In the order of their tabs. */
  get all(): ReadonlySignal<readonly MainView[]> {
    return this.#all;
  }

  /** The id of the visible view; `undefined` while an editor is visible. */
  get front(): ReadonlySignal<string | undefined> {
    return this.#front;
  }

  show(view: MainView, { inBackground = false }: { readonly inBackground?: boolean } = {}): Disposable {
    const at = this.#all.value.findIndex(({ id }) => id === view.id);
    this.#all.value = at < 0 ? [...this.#all.value, view] : this.#all.value.with(at, view);
    if (!inBackground) this.#front.value = view.id;
    return { [Symbol.dispose]: () => this.#remove(view) };
  }

  bringToFront({ id }: MainView): void {
    this.#front.value = id;
  }

  bringEditorsToFront(): void {
    this.#front.value = undefined;
  }

  /** Closes a view on behalf of the user. */
  close(view: MainView): void {
    this.#remove(view);
    view.onClose?.();
  }

  /** Does nothing for a view that another view with its id has replaced. */
  #remove(view: MainView): void {
    if (!this.#all.value.includes(view)) return;
    this.#all.value = this.#all.value.filter((one) => one !== view);
    if (this.#front.value === view.id) this.#front.value = undefined;
  }
}
