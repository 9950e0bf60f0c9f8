import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";

/** Names the icons of commands, which the editor draws. */
const OF_THE_EDITOR = "src/host/commands/command-table.ts";

/**
 * Leaves out the icons that no source of ours names, their rules and their glyphs: all of them weigh more than all of
 * our pages.
 *
 * @param {string} root
 * @returns {import("esbuild").Plugin}
 */
export const usedIconsOnly = (root) => ({
  name: "used-icons-only",
  setup(build) {
    build.onLoad({ filter: /codicon\.css$/ }, ({ path }) => ({ contents: usedRules(root, path), loader: "css" }));
    build.onLoad({ filter: /codicon\.ttf$/ }, async ({ path }) => {
      const glyphs = usedRules(root, path.replace(/\.ttf$/, ".css"))
        .matchAll(/content: "\\([0-9a-f]+)"/g)
        .map(([, code]) => String.fromCodePoint(Number.parseInt(code, 16)));
      return { contents: await subsetFont(readFileSync(path), [...glyphs].join("")), loader: "file" };
    });
  },
});

/**
 * @param {string} root
 * @param {string} styleSheet
 */
function usedRules(root, styleSheet) {
  const files = globSync("{src,media}/**/*.ts", { cwd: root }).filter((file) => file !== OF_THE_EDITOR);
  const sources = files.map((file) => readFileSync(join(root, file), "utf8"));
  const named = new Set(sources.flatMap((text) => text.match(/[a-z]+(?:-[a-z]+)*/g) ?? []));
  return readFileSync(styleSheet, "utf8").replace(/^\.codicon-([a-z0-9-]+):before \{.*\}\n/gm, (rule, icon) =>
    named.has(icon) ? rule : "",
  );
}
