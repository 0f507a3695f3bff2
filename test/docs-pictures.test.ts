import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseScreen, replaced } from "../scripts/pictures/screen.ts";
import { DARK, svgOf } from "../scripts/pictures/svg.ts";

const docs = path.resolve(import.meta.dirname, "..", "docs");
const pictures = readdirSync(path.join(docs, "pictures"));

/** The words of a picture in the order of its lines; spaces are not drawn. */
function textOf(svg: string): string {
  return Array.from(svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g), ([, text = ""]) => text).join("");
}

describe("the pictures of the documentation", () => {
  test("are all shown, and all that are shown exist", () => {
    const page = readFileSync(path.join(docs, "look-back-in-five-minutes.md"), "utf8");
    const shown = Array.from(page.matchAll(/\]\(pictures\/([^)]+)\)/g), ([, name = ""]) => name);
    expect(shown.toSorted()).toEqual(pictures.toSorted());
    for (const name of shown) expect(existsSync(path.join(docs, "pictures", name))).toBe(true);
  });

  test.each(pictures)("%s names no path but the samples', and is plain SVG", (name) => {
    const svg = readFileSync(path.join(docs, "pictures", name), "utf8");
    expect(svg).not.toMatch(/<script|<image|<foreignObject|href|[\u0000-\u0009\u000b-\u001f]/);
    expect(textOf(svg)).not.toMatch(/\/(?:tmp|work|root|Users|var|home(?!\/ada\/))\//);
    expect(textOf(svg).length).toBeGreaterThan(200);
  });
});

describe("drawing a screen", () => {
  test("keeps each character at its column, with its colours", () => {
    const [line = []] = parseScreen("\u001b[1;38;2;255;0;0mab\u001b[0m \u001b[48;5;196m日\u001b[39;49m!\n");
    expect(line.map(({ character }) => character)).toEqual(["a", "b", " ", "日", "", "!"]);
    expect(line[0]).toMatchObject({ foreground: "#ff0000", isBold: true });
    expect(line[3]).toMatchObject({ foreground: undefined, background: "#ff0000", isBold: false });
    const svg = svgOf([line], 6, DARK, "a < b");
    expect(svg).toContain("<title>a &lt; b</title>");
    expect(textOf(svg)).toBe("ab日!");
  });

  test("replaces a path by one of the same length only", () => {
    const [line = []] = parseScreen("at /tmp/abcd/x");
    expect(
      replaced(line, "/tmp/abcd", "/home/ada")
        .map(({ character }) => character)
        .join(""),
    ).toBe("at /home/ada/x");
    expect(() => replaced(line, "/tmp", "/home/ada")).toThrow("length");
  });
});
