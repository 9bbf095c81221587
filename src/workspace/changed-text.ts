/** The text of a file before and after a change; `undefined` where there is none. */
export interface ChangedText {
  readonly before: string | undefined;
  readonly after: string | undefined;
}
