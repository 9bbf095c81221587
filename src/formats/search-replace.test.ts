import { testFormat } from "./format.laws.ts";
import { searchReplace } from "./search-replace.ts";

testFormat(searchReplace, {
  marks: [
    "<<<<<<< SEARCH",
    "<<<<<<< SEARCH>",
    "<<<<<<< HEAD",
    "------- SEARCH",
    ">>>>>>> REPLACE",
    "+++++++ REPLACE",
    ">>>>>>> branch",
    "=====",
    "  =======",
    "-------",
    ":start_line:2",
    "\\=======",
    "\\\\<<<<<<< SEARCH",
    "lib/b.py",
    "<source>",
    "</source>",
    "No changes.",
  ],
  cannotExpress: ({ before, after, path, pathBefore = path }) =>
    (before !== undefined && after === undefined) || path !== pathBefore,
});
