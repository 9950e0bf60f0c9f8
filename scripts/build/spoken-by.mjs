/**
 * Who imports `@vscode/l10n` gets the module of ours that gives the texts the language of the reader, and only that
 * module gets the library. So the language is known before the first text is made, in whatever order modules are loaded.
 *
 * @param {string} module - its absolute path
 * @returns {import("esbuild").Plugin}
 */
export const spokenBy = (module) => ({
  name: "spoken-by",
  setup(build) {
    build.onResolve({ filter: /^@vscode\/l10n$/ }, ({ importer }) =>
      importer === module ? undefined : { path: module },
    );
  },
});
