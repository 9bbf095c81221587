/** Passes events from running work to an async iterator. It supports one consumer. */
export class EventQueue<Event> {
  readonly #events: Event[] = [];
  #wake: (() => void) | undefined;

  push(event: Event): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /**
   * Yields all events until `work` settles. A rejection of `work` is ignored here; its caller has
   * to handle it.
   */
  async *until(work: Promise<unknown>): AsyncGenerator<Event, void> {
    let isOver = false;
    const end = () => {
      isOver = true;
      this.#wake?.();
    };
    work.then(end, end);
    for (;;) {
      for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) yield event;
      if (isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
