import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: the page works in any folder of any static host.
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 2000, modulePreload: { polyfill: false } },
  worker: { format: "es" },
  optimizeDeps: { exclude: ["rebone"] },
  server: { fs: { strict: false } },
});
