// Stops early when the pinned Node is not the one that runs: with --ignore-scripts npm silently falls back to the
// machine's own.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `pi-retrospect needs Node 22.19 or newer, this is ${process.version}. ` +
      "Run `npm ci` without --ignore-scripts (it installs a pinned Node into node_modules) and call npm scripts.",
  );
  process.exit(1);
}
