import { config, t } from "@vscode/l10n";
import * as vscode from "vscode";

// The build gives this module to whoever imports `@vscode/l10n` in the extension: a constant of any module is then made
// of words of the editor's language, and not of English ones that somebody would have to say again.
if (vscode.l10n.bundle !== undefined) config({ contents: vscode.l10n.bundle });

export { t };

/** Whether the product speaks another language than English here. */
export const isTranslated = (): boolean => vscode.l10n.bundle !== undefined;

/** The language that our texts are in, as HTML and `dist/media/words.<language>.js` name it. */
export const pageLanguage = (): string => (isTranslated() ? vscode.env.language : "en");
