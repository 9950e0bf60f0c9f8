import { config, t } from "@vscode/l10n";

declare global {
  /** The texts of the pages in the language of the editor, from the script that a page loads first, if there is one. */
  var finalityWords: Readonly<Record<string, string>> | undefined;
}

// As in the extension, the build gives this module to every importer of `@vscode/l10n` in a page.
if (globalThis.finalityWords !== undefined) config({ contents: globalThis.finalityWords });

export { t };
