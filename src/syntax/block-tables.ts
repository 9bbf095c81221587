import type { BlockTable } from "./block-table.ts";
import { bashBlocks } from "./block-tables/bash.ts";
import { cBlocks } from "./block-tables/c.ts";
import { csharpBlocks } from "./block-tables/csharp.ts";
import { goBlocks } from "./block-tables/go.ts";
import { javaBlocks } from "./block-tables/java.ts";
import { cssBlocks, htmlBlocks, jsonBlocks } from "./block-tables/markup.ts";
import { phpBlocks } from "./block-tables/php.ts";
import { pythonBlocks } from "./block-tables/python.ts";
import { rubyBlocks } from "./block-tables/ruby.ts";
import { rustBlocks } from "./block-tables/rust.ts";
import { scriptBlocks } from "./block-tables/script.ts";
import type { GrammarName } from "./languages.ts";

/** How each grammar's trees become blocks. */
export const blockTables: Readonly<Record<GrammarName, BlockTable>> = {
  typescript: scriptBlocks,
  tsx: scriptBlocks,
  javascript: scriptBlocks,
  python: pythonBlocks,
  go: goBlocks,
  rust: rustBlocks,
  java: javaBlocks,
  c: cBlocks,
  cpp: cBlocks,
  c_sharp: csharpBlocks,
  ruby: rubyBlocks,
  php: phpBlocks,
  json: jsonBlocks,
  bash: bashBlocks,
  html: htmlBlocks,
  css: cssBlocks,
};
