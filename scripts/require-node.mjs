// Stops early when the pinned Node is not the one that runs: with --ignore-scripts npm silently falls back to the
// machine's own.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `pi-retrospect needs Node 22.19 or newer, this is ${process.version}. ` +
      "`npm ci` installs a pinned Node into node_modules, which npm scripts then use: it has not finished, or it ran " +
      "with --ignore-scripts.",
  );
  process.exit(1);
}
