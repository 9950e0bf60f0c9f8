import { config, t } from "@vscode/l10n";
import * as vscode from "vscode";

// The build substitutes this module for `@vscode/l10n` in the extension. Translations are configured before any module
// creates a constant text.
if (vscode.l10n.bundle !== undefined) config({ contents: vscode.l10n.bundle });

export { t };

/** Returns whether the UI is translated. */
export const isTranslated = (): boolean => vscode.l10n.bundle !== undefined;

/** Returns the language of our texts, as used in HTML and `dist/media/words.<language>.js`. */
export const pageLanguage = (): string => (isTranslated() ? vscode.env.language : "en");
