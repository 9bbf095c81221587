import { type FileHandle, open } from "node:fs/promises";
import { EmendError } from "../../text/index.ts";
import { Recorder, type RecorderOptions } from "../recording/recorder.ts";
import { eventSeparator, recordingHead, recordingTail, writeEvent } from "../recording/recording.ts";

/** Options of a {@link RecordingFile}. */
export interface RecordingFileOptions extends Omit<RecorderOptions, "onChange"> {
  /** The absolute path of the file, which must not exist yet. */
  readonly path: string;
  /** Called once, when writing failed. Later events are not written either. */
  onFailure?(error: EmendError): void;
}

/**
 * A recording that is written to a file while it is made: after each event the file is a whole
 * recording. Text that has to be hidden later is overwritten.
 */
export class RecordingFile implements AsyncDisposable {
  readonly recorder: Recorder;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #onFailure: ((error: EmendError) => void) | undefined;
  /** Where each event begins in the file, in bytes, with the separator before it. */
  readonly #starts: number[] = [];
  /** Where the last event ends, in bytes. */
  #end = 0;
  /** The index of the first event that must be written. */
  #from = Number.POSITIVE_INFINITY;
  #work: Promise<void> | undefined;
  #hasFailed = false;

  /**
   * Creates the file, readable for its owner only. Rejects with an `EmendError` `file-exists` or
   * `not-writable`.
   */
  static async create(options: RecordingFileOptions): Promise<RecordingFile> {
    const { path } = options;
    let file: FileHandle;
    try {
      file = await open(path, "wx", 0o600);
    } catch (error) {
      throw failureOf(path, error);
    }
    const recording = new RecordingFile(options, file);
    recording.#write(0);
    await recording.written();
    return recording;
  }

  private constructor({ path, onFailure, ...options }: RecordingFileOptions, file: FileHandle) {
    this.#path = path;
    this.#file = file;
    this.#onFailure = onFailure;
    this.recorder = new Recorder({ ...options, onChange: ({ from }) => this.#write(from) });
  }

  /** Resolves when all recorded events are written. */
  async written(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.written();
    // Twice is harmless.
    if (this.#file.fd >= 0) await this.#file.close();
  }

  #write(from: number): void {
    this.#from = Math.min(this.#from, from);
    // Events that come together are written together.
    this.#work ??= Promise.resolve()
      .then(() => this.#writeLeft())
      .finally(() => {
        this.#work = undefined;
      });
  }

  async #writeLeft(): Promise<void> {
    while (this.#from !== Number.POSITIVE_INFINITY && !this.#hasFailed) {
      const from = this.#from;
      this.#from = Number.POSITIVE_INFINITY;
      const { events } = this.recorder.recording;
      let at = from === 0 ? Buffer.byteLength(recordingHead) : (this.#starts[from] ?? this.#end);
      const start = from === 0 ? 0 : at;
      const parts: string[] = from === 0 ? [recordingHead] : [];
      for (const [index, event] of events.slice(from).entries()) {
        const part = (from + index === 0 ? "" : eventSeparator) + writeEvent(event);
        this.#starts[from + index] = at;
        at += Buffer.byteLength(part);
        parts.push(part);
      }
      this.#end = at;
      const bytes = Buffer.from(parts.join("") + recordingTail(events.length));
      try {
        await this.#file.write(bytes, 0, bytes.length, start);
        await this.#file.truncate(start + bytes.length);
      } catch (error) {
        this.#hasFailed = true;
        this.#onFailure?.(failureOf(this.#path, error));
      }
    }
  }
}

function failureOf(path: string, error: unknown): EmendError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  if (code === "EEXIST") {
    const message = `There is a file ${path} already. Record to another one, or move that away first.`;
    return new EmendError("file-exists", message, { cause: error });
  }
  const cure = code === "ENOENT" ? "Make its folder first." : "Record to another file.";
  return new EmendError("not-writable", `${path} cannot be written (${code}). ${cure}`, { cause: error });
}
