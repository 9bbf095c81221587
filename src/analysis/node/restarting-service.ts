import { type AbortOptions, SerialQueue } from "../../async/index.ts";
import { EmendError } from "../../text/index.ts";

/** A request during which the process of a service has ended. */
export interface EndedRequest<Service> extends AbortOptions {
  readonly service: Service;
  /** What the request rejected with. */
  readonly error: unknown;
  /** The files of the request; `undefined` for all files. */
  readonly paths: readonly string[] | undefined;
}

/** How a {@link RestartingService} opens and closes the service of one checker. */
export interface RestartOptions<Service> {
  /** The most restarts. Most of them leave out one more file. */
  readonly maxRestarts: number;
  /**
   * Whether the process of the service has ended, by itself or at a limit. `error` is that of a
   * request to it; absent when the service was just opened.
   */
  hasEnded(service: Service, error?: unknown): boolean;
  /**
   * Opens the next service, and leaves out the files on which the last one ended. A service that
   * has ended on another file, which is left out too, is replaced in turn.
   */
  reopen(ended: EndedRequest<Service>): Promise<Service>;
  close(service: Service): Promise<void>;
}

/**
 * The service of a checker, which is opened again when its process exceeds a limit or ends by
 * itself, without the files that cause it. The failed request is then repeated.
 *
 * A file that is left out is read again once another text is set for it. When a restart does not
 * help, and after the most restarts, all requests reject with the error of the last one.
 */
export class RestartingService<Service, Excess> {
  readonly #options: RestartOptions<Service>;
  /** The texts that were set, the last one last; the next service is opened with them. */
  readonly texts = new Map<string, string | undefined>();
  /** The files that are currently left out, with their texts; `undefined` for an unknown text. */
  readonly leftOut = new Map<string, { readonly excess: Excess; readonly text: string | undefined }>();
  #service: Service;
  #restarts = 0;
  readonly #queue = new SerialQueue();
  /** The error with which all requests reject. */
  #failure: EmendError | undefined;
  #isClosed = false;

  constructor(service: Service, options: RestartOptions<Service>) {
    this.#service = service;
    this.#options = options;
  }

  /** The present service; requests are made by {@link run}. */
  get service(): Service {
    return this.#service;
  }

  /** How often a service was opened again. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Why files are currently left out. */
  get excesses(): ReadonlyMap<string, Excess> {
    return new Map(Array.from(this.leftOut, ([path, { excess }]) => [path, excess]));
  }

  /** Records texts that are about to be set; `undefined` removes a file. */
  setTexts(texts: ReadonlyMap<string, string | undefined>): void {
    for (const [path, text] of texts) {
      this.texts.delete(path);
      this.texts.set(path, text);
      if (this.leftOut.get(path)?.text !== text) this.leftOut.delete(path);
    }
  }

  /**
   * Makes a request about files. Rejects as the request does where the process has not ended or a
   * restart does not help, and with the signal's reason on abort.
   */
  async run<T>(
    paths: readonly string[] | undefined,
    { signal }: AbortOptions,
    request: (service: Service) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const service = this.#service;
      try {
        return await request(service);
      } catch (error) {
        if (this.#isClosed || !this.#options.hasEnded(service, error)) throw error;
        signal?.throwIfAborted();
        await this.#queue.run(() => this.#replace({ service, error, paths, signal }));
      }
    }
  }

  /** Closes the service; it is not opened again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#options.close(this.#service);
  }

  /** Opens the next service, once for all requests that failed with one. */
  async #replace(ended: EndedRequest<Service>): Promise<void> {
    if (this.#service !== ended.service || this.#failure !== undefined) return;
    const { maxRestarts, close, hasEnded, reopen } = this.#options;
    try {
      for (let { paths } = ended; ; paths = []) {
        this.#restarts += 1;
        if (this.#restarts > maxRestarts) throw ended.error;
        await close(this.#service);
        this.#service = await reopen({ ...ended, service: this.#service, paths });
        if (this.#isClosed) {
          await close(this.#service);
          throw ended.error;
        }
        if (!hasEnded(this.#service)) return;
      }
    } catch (cause) {
      // Another request may not be aborted, and then restarts the service itself.
      ended.signal?.throwIfAborted();
      if (cause instanceof EmendError) this.#failure = cause;
      throw cause;
    }
  }
}
