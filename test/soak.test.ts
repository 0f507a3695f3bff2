/** Every family of faults for a moment, from a fixed seed; for longer: `npm run soak`. */
import { expect, test } from "vitest";
import { CASES } from "../soak/cases/index.ts";
import { runCase } from "../soak/run.ts";

test.each(CASES.map((soakCase) => [soakCase.name, soakCase] as const))("%s", async (_name, soakCase) => {
  const { finding, obstacle, figures } = await runCase(soakCase, { seed: 1, isShort: true });
  if (obstacle !== undefined) console.warn(`SKIPPED: ${soakCase.name}: ${obstacle}`);
  expect(finding?.message).toBeUndefined();
  expect(obstacle !== undefined || figures.size > 0).toBe(true);
});
