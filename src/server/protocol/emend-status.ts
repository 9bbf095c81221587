/**
 * How the server is, for a status bar: the notification `emend/didChangeStatus`. It is sent where the client said
 * `emendStatus: true` in its `initializationOptions`, once at the beginning and then when something changes, not more than a
 * few times a second.
 */
export interface EmendStatusParams {
  /** `warning`: something keeps suggestions away that a person can mend. `inactive`: switched off, or not wanted here. */
  readonly kind: "normal" | "warning" | "inactive";
  /** Whether something is going on in the background. */
  readonly busy: boolean;
  /** In one line, what there is to say; empty where there is nothing. */
  readonly message: string;
  /** How many files were learnt, of all sessions that learn; absent where none does, or it is not known yet how many there are. */
  readonly learning?: { readonly done: number; readonly of: number };
  /** Why the last request for ghost text was offered nothing; absent where something was. */
  readonly silence?: { readonly kind: string; readonly text: string };
}
