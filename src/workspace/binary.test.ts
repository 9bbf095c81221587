import { describe, expect, test } from "vitest";
import { decodeText, tryBinaryPath } from "./binary.ts";

test("tryBinaryPath recognizes a binary file by its extension", () => {
  expect(tryBinaryPath("a/logo.PNG")).toBe(".png");
  expect(tryBinaryPath("lib/x.so")).toBe(".so");
  for (const path of ["a.ts", "a.bin", "png", ".so", "a.svg", "a.m"]) expect(tryBinaryPath(path)).toBeUndefined();
});

describe("decodeText classifies bytes as", () => {
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const cases = [
    ["text", utf8("let é = 1;\r\n")],
    ["text", utf8("\uFEFFlet a;")],
    ["text", utf8("")],
    ["text", utf8("\u001b[31mred\u001b[0m\fpage")],
    ["binary", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1])],
    ["binary", new Uint8Array([1, 2, 3, 4, 5, 65, 66])],
    ["not-utf-8", new Uint8Array([0x61, 0xe9, 0x62])],
    ["not-utf-8", new Uint8Array([0xed, 0xa0, 0x80])],
    ["not-utf-8", new Uint8Array([0xff, 0xfe, 0x61, 0])],
    ["not-utf-8", new Uint8Array([0xfe, 0xff, 0, 0x61])],
    ["not-utf-8", new Uint8Array([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
  ] as const;
  for (const [kind, bytes] of cases)
    test(`${kind}: ${bytes.join(" ")}`, () => expect(decodeText(bytes).kind).toBe(kind));
});

test("decodeText keeps a byte order mark and carriage returns", () => {
  const text = "\uFEFFa\r\nb\n";
  expect(decodeText(new TextEncoder().encode(text))).toEqual({ kind: "text", text });
});
