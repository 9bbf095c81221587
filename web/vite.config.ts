import { defineConfig } from "vite";

/**
 * Builds the page that `emend serve` shows. All addresses in it are relative: it stands below a
 * path that is not known before.
 */
// biome-ignore lint/style/noDefaultExport: Vite wants it so.
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // A small file as a data address would be refused by the content security policy.
    assetsInlineLimit: 0,
    // The editor is one large piece by nature.
    chunkSizeWarningLimit: 5_000,
  },
});
