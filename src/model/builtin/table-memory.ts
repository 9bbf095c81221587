/** What engines may have and the types of ES2023 lack. */
interface LaterBuffer {
  readonly resizable?: boolean;
  resize?(byteLength: number): void;
  transfer?(byteLength: number): ArrayBuffer;
}

/**
 * The bytes of a table, which may be on the disk: `slice` is a copy, or a view that must not be
 * changed. A `Uint8Array` is one. `slice` throws an `EmendError` with the code `snapshot-broken`
 * where the bytes on the disk are not those that were written.
 */
export interface TableBytes {
  readonly length: number;
  /** How many bytes are best read at a time, from a multiple of it on; by default one page. */
  readonly partBytes?: number;
  slice(start: number, end: number): Uint8Array;
}

const ResizableBuffer = ArrayBuffer as new (byteLength: number, options: { maxByteLength: number }) => ArrayBuffer;

/**
 * Makes a buffer for a large table that is kept, or copied and freed.
 *
 * A buffer that may be resized has pages of its own, which go back to the system when it is freed.
 * Others may be in the heap of the C library, which keeps the room between tables that are still
 * used: 150 MB after a workspace of 36 MB was learnt. They are faster: where tables are built,
 * buffers of this kind take 15 to 60 % more processor time (Node 20). Engines without them make a
 * plain one.
 */
export function tableMemory(byteLength: number): ArrayBuffer {
  return new ResizableBuffer(byteLength, { maxByteLength: byteLength });
}

/**
 * Gives the memory of a table that is not used any more back, instead of at some later garbage
 * collection. No view of its buffer may be used afterwards. Before Node 21 it frees buffers of
 * {@link tableMemory} only.
 */
export function freeTable({ buffer }: ArrayBufferView): void {
  const later = buffer as LaterBuffer;
  if (later.resizable === true) later.resize?.(0);
  else later.transfer?.(0);
}
