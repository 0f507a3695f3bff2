import { expect, test } from "vitest";
import { Recent } from "../../src/search/recent.ts";

test("keeps the answers asked last, and no more", () => {
  const recent = new Recent<string>(2);
  const asked: string[] = [];
  const ask = (question: string) =>
    recent.get(question, () => {
      asked.push(question);
      return question.toUpperCase();
    });
  expect(["a", "b", "a", "c", "a", "b"].map(ask)).toEqual(["A", "B", "A", "C", "A", "B"]);
  expect(asked).toEqual(["a", "b", "c", "b"]);
});
