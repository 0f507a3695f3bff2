import fc from "fast-check";
import { expect, test } from "vitest";
import { setOf } from "./stores.ts";

const CAPACITIES = [0, 1, 31, 32, 33, 64, 70];

const sets = fc.constantFrom(...CAPACITIES).chain((capacity) => {
  const positions = fc.subarray(Array.from({ length: capacity }, (_, at) => at));
  return fc.record({ capacity: fc.constant(capacity), held: positions, firsts: positions });
});

test("spread forward, a set holds what it held and the message behind each, but no first one of a session", () => {
  fc.assert(
    fc.property(sets, ({ capacity, held, firsts }) => {
      const expected = new Set(held);
      for (const at of held) if (at + 1 < capacity && !firsts.includes(at + 1)) expected.add(at + 1);
      const spread = setOf(capacity, held).spreadForward(setOf(capacity, firsts));
      expect([...spread.positions()]).toEqual([...expected].sort((a, b) => a - b));
    }),
  );
});

test("spread backward, a set holds what it held and the message before each, unless that one begins a session", () => {
  fc.assert(
    fc.property(sets, ({ capacity, held, firsts }) => {
      const expected = new Set(held);
      for (const at of held) if (at > 0 && !firsts.includes(at)) expected.add(at - 1);
      const spread = setOf(capacity, held).spreadBackward(setOf(capacity, firsts));
      expect([...spread.positions()]).toEqual([...expected].sort((a, b) => a - b));
    }),
  );
});

test("sets combine, count and list as sets of numbers do", () => {
  fc.assert(
    fc.property(sets, ({ capacity, held, firsts: others }) => {
      const [one, other] = [setOf(capacity, held), setOf(capacity, others)];
      expect([...one.positions()]).toEqual(held);
      expect(one.size).toBe(held.length);
      expect(one.isEmpty).toBe(held.length === 0);
      expect([...one.and(other).positions()]).toEqual(held.filter((at) => others.includes(at)));
      expect([...one.without(other).positions()]).toEqual(held.filter((at) => !others.includes(at)));
      const both = new Set([...held, ...others]);
      expect([...one.or(other).positions()]).toEqual([...both].sort((a, b) => a - b));
      for (let at = 0; at < capacity; at++) expect(one.has(at)).toBe(held.includes(at));
    }),
  );
});
