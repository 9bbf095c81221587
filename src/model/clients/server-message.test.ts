import { expect, test } from "vitest";
import { messageIn, serverMessage } from "./server-message.ts";

test.each<[string, string]>([
  ["plain\n  text ", "plain text"],
  ["", ""],
  ["<html><h1>502</h1></html>", ""],
  ['"a text"', "a text"],
  ['{"error":"no"}', "no"],
  ['{"error":{"code":1,"message":"no"}}', "no"],
  ['[{"error":{"message":"no"}}]', "no"],
  ['{"error":true,"message":"no"}', "no"],
  ['{"message":{"detail":[{"type":"missing","msg":"no"}]}}', "no"],
  ['{"code":1}', '{"code":1}'],
])("%j says %j", (body, said) => expect(serverMessage(body)).toBe(said));

test("a long server message is truncated", () => expect(serverMessage("x ".repeat(1000)).length).toBe(300));

test("a cyclic value has no server message", () => {
  const error: { error?: unknown } = {};
  error.error = error;
  expect(messageIn(error)).toBeUndefined();
});
