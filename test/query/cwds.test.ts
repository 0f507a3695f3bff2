import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CwdMatch } from "../../src/model.ts";
import { isCwdKept, requireCwdFilter } from "../../src/query/cwds.ts";

const keeps = (match: CwdMatch, request: string, cwd: string) =>
  isCwdKept(cwd, requireCwdFilter([request], match));

describe("exact and sibling-prefix", () => {
  test.each([
    // request, header, exact, sibling-prefix
    ["/r/app", "/r/app", true, true],
    ["/r/app/", "/r/app", true, true],
    ["/r/app", "/r/app//", true, true],
    ["/r/app", "/r/app-fix", false, true],
    ["/r/app/", "/r/app-fix/", false, true],
    ["/r/app", "/r/app-", false, true],
    ["/r/app", "/r/app-a-b", false, true],
    ["/r/app", "/r/application", false, false],
    ["/r/app", "/r/app/sub", false, false],
    ["/r/app", "/r/app-fix/sub", false, false],
    ["/r/app", "/other/app-fix", false, false],
    ["/r/app", "/r/App", false, false],
    ["/r/app", "/R/app-fix", false, false],
    ["/r/app", "/r/./app", false, false],
    ["/r/app-fix", "/r/app", false, false],
    ["/r/app", "r/app", false, false],
    ["/r/app", "/r/app\\", false, false],
    ["/r/app", "/r/app-fix\\sub", false, true],
    ["/r/a.p", "/r/axp", false, false],
    ["/", "/", true, true],
    ["/", "//", true, true],
    ["/", "/-x", false, false],
    ["/", "-x", false, false],
    ["C:\\r\\app", "C:\\r\\app", true, true],
    ["C:\\r\\app\\", "C:\\r\\app", true, true],
    ["C:\\r\\app", "C:\\r\\app\\/", true, true],
    ["C:\\r\\app", "C:\\r\\app-fix", false, true],
    ["C:\\r\\app", "C:\\r\\app-fix\\sub", false, false],
    ["C:\\r\\app", "C:\\r\\app-fix/sub", false, false],
    ["C:\\r\\app", "c:\\r\\app", false, false],
    ["C:\\r\\app", "D:\\r\\app-fix", false, false],
    ["C:\\r\\app", "C:/r/app", false, false],
    ["C:/r/app", "C:/r/app-fix", false, true],
    ["C:\\", "C:\\", true, true],
    ["\\\\host\\share\\app", "\\\\host\\share\\app-fix", false, true],
  ] as const)("%s and %s: %s, %s", (request, cwd, exact, sibling) => {
    expect([keeps("exact", request, cwd), keeps("sibling-prefix", request, cwd)]).toEqual([exact, sibling]);
  });

  test("several directories are alternatives, an empty list keeps nothing, no list everything", () => {
    const filter = requireCwdFilter(["/a", "/b/"], undefined);
    expect(["/a", "/b", "/c"].map((cwd) => isCwdKept(cwd, filter))).toEqual([true, true, false]);
    expect(isCwdKept("/a", requireCwdFilter([], "sibling-prefix"))).toBe(false);
    expect(isCwdKept("anything", requireCwdFilter(undefined, "sibling-prefix"))).toBe(true);
  });

  test("a sibling is what shares the parent and begins with the name and a hyphen", () => {
    const segment = fc.string({
      unit: fc.constantFrom("a", "b", "-", ".", " ", "\\"),
      minLength: 1,
      maxLength: 4,
    });
    const directory = fc.array(segment, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(directory, directory, (request, cwd) => {
        const [parent, name] = [request.slice(0, -1).join("/"), request.at(-1) ?? ""];
        const isSame = request.join("/") === cwd.join("/");
        const isSibling = cwd.slice(0, -1).join("/") === parent && (cwd.at(-1) ?? "").startsWith(`${name}-`);
        expect(keeps("exact", `/${request.join("/")}`, `/${cwd.join("/")}`)).toBe(isSame);
        expect(keeps("sibling-prefix", `/${request.join("/")}`, `/${cwd.join("/")}`)).toBe(
          isSame || isSibling,
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a caller's mistake", () => {
  test.each(["app", "./app", "../app", "~", "~/app", "", " /r/app", "C:app", "C:", "file:///r/app"])(
    "the working directory %j is not absolute, so it could never match",
    (cwd) => {
      expect(() => requireCwdFilter(["/fine", cwd], undefined)).toThrow(/^cwds must be absolute paths/);
    },
  );

  test.each(["/r/app", ["/r", 7], [null], {}, null, 7])("cwds %j is no list of strings", (cwds) => {
    expect(() => requireCwdFilter(cwds, undefined)).toThrow(
      /^cwds must (be an array of strings|hold strings only), got /,
    );
  });

  test.each(["Exact", "sibling", "", null, 7, ["exact"]])(
    "cwdMatch %j is refused, with or without cwds",
    (match) => {
      expect(() => requireCwdFilter(undefined, match)).toThrow(
        /^cwdMatch must be "exact" or "sibling-prefix", got /,
      );
    },
  );
});
