import { workerData } from "node:worker_threads";
import { config, t } from "@vscode/l10n";

// The build substitutes this module for `@vscode/l10n` in the worker. The worker cannot ask VS Code for translations,
// so it receives them as its data.
const translations: unknown = workerData;
if (typeof translations === "string") config({ contents: translations });

export { t };
