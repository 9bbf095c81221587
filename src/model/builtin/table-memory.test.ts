import { expect, test, vi } from "vitest";
import { freeTable, tableMemory } from "./table-memory.ts";

test("memory of a table is zero, as long as wanted, and is given back", () => {
  const buffer = tableMemory(100_000);
  const table = new Uint8Array(buffer, 0, 100_000);
  expect([table.length, table.every((byte) => byte === 0)]).toEqual([100_000, true]);
  freeTable(table);
  expect([buffer.byteLength, table.length]).toEqual([0, 0]);
});

test("engines without resizable buffers make plain ones, which are freed by the garbage collector", async () => {
  const { ArrayBuffer: Plain } = globalThis;
  class OlderBuffer extends Plain {
    readonly transfer = undefined;
    constructor(byteLength: number) {
      super(byteLength);
    }
  }
  vi.stubGlobal("ArrayBuffer", OlderBuffer);
  vi.resetModules();
  const older = await import("./table-memory.ts");
  vi.unstubAllGlobals();
  const buffer = older.tableMemory(8);
  older.freeTable(new Uint8Array(buffer));
  expect(buffer.byteLength).toBe(8);
});
