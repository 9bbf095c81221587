/** Hands on what some work tells, while it is still at work. One listener. */
export class EventQueue<Event> {
  readonly #events: Event[] = [];
  #wake: (() => void) | undefined;

  push(event: Event): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** All that is told until `work` is over. Its failure is told by the work itself. */
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
