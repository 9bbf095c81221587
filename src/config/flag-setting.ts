/** What a flag of the command line sets. */
export interface FlagSetting {
  /** As the user wrote it, such as `--max-lines`. */
  readonly flag: string;
  /** The names of the key from the top down. */
  readonly path: readonly string[];
  /** A text is read as the key wants it. */
  readonly value: unknown;
}
