import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createProtocolConnection, StreamMessageReader } from "vscode-languageserver/node";
import { dropLateNotifications } from "./protocol-gate.ts";

const disposable = { dispose: () => undefined };

test("a notification whose write fails is dropped without an error", async () => {
  const failing = { write: () => Promise.reject(new Error("EPIPE")), end: () => undefined };
  const events = { onError: () => disposable, onClose: () => disposable, dispose: () => undefined };
  const reader = new StreamMessageReader(new PassThrough());
  const connection = dropLateNotifications(createProtocolConnection(reader, { ...events, ...failing }));
  connection.listen();
  await expect(connection.sendNotification("window/logMessage", { type: 3, message: "x" })).resolves.toBeUndefined();
});

test.each(["closed", "disposed"])("a notification on a %s connection is dropped without an error", async (how) => {
  const [incoming, outgoing] = [new PassThrough(), new PassThrough()];
  const connection = dropLateNotifications(createProtocolConnection(incoming, outgoing));
  connection.listen();
  await connection.sendNotification("window/logMessage", { type: 3, message: "before" });
  const closed = new Promise<void>((resolve) => void connection.onClose(resolve));
  if (how === "closed") {
    incoming.destroy();
    await closed;
  } else connection.dispose();
  await expect(
    connection.sendNotification("window/logMessage", { type: 3, message: "after" }),
  ).resolves.toBeUndefined();
  expect(String(outgoing.read())).toMatch(/before/);
});
