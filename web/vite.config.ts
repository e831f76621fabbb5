// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";

// `npm run dev` shows the page with the data of a running server.
const server = process.env["KEYWRIGHT_URL"] ?? "http://localhost:8000";

export default defineConfig({
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the policy allows files of this server only
    reportCompressedSize: false,
  },
  server: {
    fs: { allow: [".", "../examples"] },
    proxy: {
      "/studio/v1": { target: server, changeOrigin: true, headers: { origin: server } },
      "^/$": {
        target: server,
        changeOrigin: true,
        headers: { origin: server },
        bypass: (request) => (request.method === "POST" ? undefined : request.url),
      },
    },
  },
});
