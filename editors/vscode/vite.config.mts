import { defineConfig } from "vite";

/** Builds the extension: one file, with all that it needs but the editor's own module. */
// biome-ignore lint/style/noDefaultExport: Vite wants it so.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  // For Node, and whole: beside the file there will be no packages.
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: "src/extension.ts",
    target: "node20",
    outDir: "dist",
    emptyOutDir: false,
    minify: "oxc",
    rolldownOptions: {
      external: ["vscode"],
      output: { format: "cjs", entryFileNames: "extension.cjs", codeSplitting: false },
    },
  },
});
