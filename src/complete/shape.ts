/** How much is wanted at a place: the rest of its line; a statement; all that fills a block. */
export type Shape = "line" | "statement" | "block";
