import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InventoryError, parseBlobs, parseIndex } from "../../src/mining/gitIndex.ts";

const blob = "a".repeat(40);
const bytes = (text: string) => Buffer.from(text);
const blobs = (text: string) => bytes(`${blob} blob ${Buffer.byteLength(text)}\n${text}\n`);

describe("the list of the index", () => {
  it("is read entry by entry", () => {
    expect(parseIndex(bytes(""))).toEqual([]);
    expect(parseIndex(bytes(`100644 ${blob} 0\ta\tb\n\x00160000 ${"b".repeat(64)} 0\tc\0`))).toEqual([
      { path: "a\tb\n", mode: "100644", blob },
      { path: "c", mode: "160000", blob: "b".repeat(64) },
    ]);
  });

  it.each([
    `100644 ${blob} 0\ta`,
    `100644 ${blob} 0\t\0`,
    `100664 ${blob} 0\ta\0`,
    `040000 ${blob} 0\ta/\0`,
    `100644 ${blob.slice(1)} 0\ta\0`,
    `100644 ${blob} 4\ta\0`,
    `100644 ${blob} 0 a\0`,
    `100644 ${blob} 1\ta\0`,
    "\0",
    "\0\0",
  ])("is refused when it holds anything else: %j", (output) => {
    expect(() => parseIndex(bytes(output))).toThrow(InventoryError);
  });

  it("is refused, or read exactly, whatever byte is changed", () => {
    const whole = bytes(`100644 ${blob} 0\tpackage.json\x00100755 ${blob} 0\trun.sh\0`);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        try {
          const again = parseIndex(changed).map(({ mode, blob, path }) => `${mode} ${blob} 0\t${path}\0`);
          expect(again.join("")).toBe(changed.toString("utf8"));
        } catch (error) {
          expect(error).toBeInstanceOf(InventoryError);
        }
      }),
    );
  });
});

describe("the blobs", () => {
  it("are read by their size, line breaks included", () => {
    expect(parseBlobs(blobs("{\n}\n"), [blob])).toEqual(["{\n}\n"]);
    expect(parseBlobs(Buffer.concat([blobs("é"), blobs("")]), [blob, blob])).toEqual(["é", ""]);
  });

  it.each([
    "",
    `${blob} missing\n`,
    `${blob} tree 0\n\n`,
    `${blob} blob 5\nabc\n`,
    `${blob} blob 2\nabc\n`,
    `${blob} blob -1\n\n`,
    `${"b".repeat(40)} blob 1\na\n`,
    `${blob} blob 1\na\nmore`,
  ])("are refused when they are not exactly what was asked for: %j", (output) => {
    expect(() => parseBlobs(bytes(output), [blob])).toThrow(InventoryError);
  });
});
