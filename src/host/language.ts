import { config, t as translate } from "@vscode/l10n";
import * as vscode from "vscode";

// The build substitutes this module for `@vscode/l10n` in the extension. Translations are configured before any module
// creates a constant text.
if (vscode.l10n.bundle !== undefined) config({ contents: vscode.l10n.bundle });

/** Name of the local chain, as in settings and journals (`LOCAL_NETWORK_NAME`). Texts contain its translation. */
const LOCAL_CHAIN = "Local chain";

/** Returns the translation of a text. A value that is the name of the local chain is translated too. */
export function t(text: TemplateStringsArray, ...values: readonly (string | number | boolean)[]): string {
  return translate(text, ...values.map((it) => (it === LOCAL_CHAIN ? translate`Local chain` : it)));
}

/** Returns whether the UI is translated. */
export const isTranslated = (): boolean => vscode.l10n.bundle !== undefined;

/** Returns the language of our texts, as used in HTML and `dist/media/words.<language>.js`. */
export const pageLanguage = (): string => (isTranslated() ? vscode.env.language : "en");
