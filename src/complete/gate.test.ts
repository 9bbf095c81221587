import { describe, expect, test } from "vitest";
import { type AccessVerdict, refuseDocument, refusePlace } from "./gate.ts";
import { tryPlace } from "./place.ts";
import type { GhostTextRequest } from "./request.ts";
import { defaultGhostTextSettings, type GhostTextSettings } from "./settings.ts";

/** A request with the cursor at the `|`. */
function requestOf(text: string, rest: Partial<GhostTextRequest> & { readonly language?: string } = {}) {
  const { language = "typescript", ...more } = rest;
  const offset = text.indexOf("|");
  const document = { uri: "file:///a", language, version: 1, text: text.replace("|", "") };
  return { document, path: "src/a.ts", offset, trigger: "automatic", ...more } as const;
}

function refusal(
  request: GhostTextRequest,
  settings: Partial<GhostTextSettings> = {},
  access: AccessVerdict = { kind: "allowed" },
): string {
  const all = { ...defaultGhostTextSettings, ...settings };
  return (refuseDocument(request, () => access, all) ?? refusePlace(tryPlace(request)!, all))?.kind ?? "open";
}

describe("the gate checks the text right of the cursor", () => {
  test("the reason has only the first characters of the text right of the cursor", () => {
    const place = tryPlace(requestOf(`a = |${"b".repeat(200_000)}`))!;
    expect(refusePlace(place, defaultGhostTextSettings)).toEqual({ kind: "mid-line", rest: "b".repeat(100) });
  });

  test.each([
    ["", "open"],
    ["  ", "open"],
    [")", "open"],
    [");", "open"],
    ["]) {", "open"],
    ['"', "open"],
    [">;", "open"],
    ["'),", "open"],
    ["}:", "open"],
    [") => {", "mid-line"],
    [", b)", "mid-line"],
    ["// c", "mid-line"],
    ["b", "mid-line"],
    [";;", "mid-line"],
    ["\nnext", "open"],
    ["\r\nnext", "open"],
  ])("%j: %s", (rest, expected) => expect(refusal(requestOf(`const value = |${rest}`))).toBe(expected));
});

describe("the gate refuses documents and places, automatically and by key", () => {
  const allowed = { kind: "allowed" } as const;
  test.each([
    ["plaintext", "some longer text|", {}, allowed, "language-off", "open"],
    ["typescript", "a|", {}, allowed, "too-little-context", "open"],
    ["typescript", "|", {}, allowed, "too-little-context", "open"],
    ["typescript", "a longer text|", { maxDocumentCharacters: 12 }, allowed, "too-large", "too-large"],
    ["typescript", "TOKEN=verysecret|", {}, { kind: "secret" }, "secret-file", "secret-file"],
    ["typescript", "ignored text|", {}, { kind: "ignored", by: ".gitignore" }, "ignored-file", "ignored-file"],
    ["typescript", "f(); // why|", { comments: false }, allowed, "in-comment", "open"],
    ["typescript", "f(); // why|", { strings: false }, allowed, "open", "open"],
    ["typescript", 'const a = "why|"', { strings: false }, allowed, "in-string", "open"],
    ["typescript", 'const a = "why|"', {}, allowed, "open", "open"],
  ] as const)("%s %j %j %j: %s, %s", (language, text, settings, access, automatic, invoked) => {
    expect(refusal(requestOf(text, { language }), settings, access)).toBe(automatic);
    expect(refusal(requestOf(text, { language, trigger: "invoked" }), settings, access)).toBe(invoked);
  });
});

describe("the position of the cursor that the gate returns", () => {
  test.each([
    ["ab", 5, "ab", ""],
    ["ab", -1, "", "ab"],
    ["ab", Number.NaN, "", "ab"],
    ["a\r\nb", 2, "a", "\r\nb"],
    ["a😀b", 2, "a", "😀b"],
    ["a\ud83db", 2, "a\ud83d", "b"],
    ["", 0, "", ""],
  ])("%j at %s", (text, offset, prefix, suffix) => {
    expect(tryPlace({ ...requestOf(text), offset })).toMatchObject({ prefix, suffix });
  });

  test("is after the selected completion item", () => {
    const request = requestOf("console.lo|;");
    expect(tryPlace({ ...request, picked: { start: 8, end: 10, text: "log" } })).toMatchObject({
      ...{ prefix: "console.log", lineBefore: "console.log", suffix: ";", rest: ";" },
    });
    for (const picked of [
      { start: 0, end: 3, text: "log" },
      { start: 8, end: 99, text: "log" },
      { start: 8, end: 10, text: "l\ng" },
    ]) {
      expect(tryPlace({ ...request, picked })).toBeUndefined();
    }
  });
});
