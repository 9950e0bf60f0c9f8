import { workerData } from "node:worker_threads";
import { config, t } from "@vscode/l10n";

// As in the extension: the build gives this module to whoever imports `@vscode/l10n` in the thread. It cannot ask the
// editor for words, so it begins with them.
const words: unknown = workerData;
if (typeof words === "string") config({ contents: words });

export { t };
