import { defineConfig } from "vite";

/**
 * Builds the page of `emend serve`. All its URLs are relative, because the path of the page
 * contains a token that is not known at build time.
 */
// biome-ignore lint/style/noDefaultExport: Vite requires a default export.
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // The content security policy refuses data URLs, so no small file is inlined.
    assetsInlineLimit: 0,
    // The editor is one large chunk.
    chunkSizeWarningLimit: 5_000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      onLog(level, log, report) {
        // Emscripten's runtime in this package evaluates functions of modules that it links.
        if (log.code === "EVAL" && log.id?.includes("/node_modules/web-tree-sitter/")) return;
        report(level, log);
      },
    },
  },
});
