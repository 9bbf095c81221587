/** A connection that carries text messages in both directions. */
export interface Wire {
  send(message: string): void;
  /** Calls back for each message, in order. */
  onMessage(take: (message: string) => void): void;
  /** Calls back once, when the connection is closed. */
  onClose(take: () => void): void;
  close(): void;
}

/** What to do where the server has stopped: its next start has another address. */
export const startAgain = "Start `emend serve` again, and open its new address.";

/** What a person reads while there is no connection. */
export const disconnected = `Disconnected. ${startAgain}`;

/** Opens a wire; rejects with an error for people. */
export type OpenWire = () => Promise<Wire>;

/** A WebSocket at a URL relative to the page. */
export function socketAt(address: string): OpenWire {
  return () =>
    new Promise((resolve, reject) => {
      const url = new URL(address, document.baseURI);
      url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
      const socket = new WebSocket(url);
      socket.onerror = () => reject(new Error("The server does not respond. Start `emend serve` again."));
      socket.onopen = () =>
        resolve({
          send: (message) => socket.send(message),
          onMessage: (take) => {
            socket.onmessage = ({ data }) => take(String(data));
          },
          onClose: (take) => {
            socket.onclose = take;
          },
          close: () => socket.close(),
        });
    });
}
