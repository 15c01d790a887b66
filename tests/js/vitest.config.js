import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "http://localhost/book/page.html" } },
    include: ["*.test.js"],
    // One window for all files: to make one takes longer than the tests in it. `page` clears it.
    pool: "threads",
    isolate: false,
    fileParallelism: false,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
