import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createProtocolConnection } from "vscode-languageserver/node";
import { dropLateNotifications } from "./late-notifications.ts";

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
