import { expect, test } from "vitest";
import { inFlags } from "../../../src/surface/cli/flags.ts";

test.each([
  ['startTimestamp "x" is not a time', '--since "x" is not a time'],
  ["window conflicts with sessionId", "--window conflicts with the session file"],
  ["no such file: /s/window/limit.jsonl", "no such file: /s/window/limit.jsonl"],
  ['cursor "ids \\" types" is damaged', '--cursor "ids \\" types" is damaged'],
  ["--limit and my-window and timeouts stay", "--limit and my-window and timeouts stay"],
])("parameters are named as flags where they stand by themselves: %j", (message, expected) => {
  expect(inFlags(message)).toBe(expected);
});
