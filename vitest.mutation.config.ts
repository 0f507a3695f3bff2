/** The tests that know the mutated files well and are quick: everything else would only take time. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "test/search/{grammar,match,discovery,snippet,rank,best,closeness,messageSet}.test.ts",
      "test/session/{lines,cost,entry,recover,text}.test.ts",
      "test/index/plan.test.ts",
      "test/entries/{hostile,pages}.test.ts",
    ],
    testTimeout: 30_000,
  },
});
