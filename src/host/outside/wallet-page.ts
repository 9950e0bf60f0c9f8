import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { t } from "@vscode/l10n";
import { isTranslated, pageLanguage } from "../language.ts";
import type { PublicFile } from "./loopback-server.ts";

/**
 * Holds nothing of a transaction: the page asks for what it shows, with the secret of its address. Its parts are named
 * from where it is: some tunnels put a path before it.
 */
const html = (): string => `<!DOCTYPE html>
<html lang="${pageLanguage()}">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${t`Finality: your wallet`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="wallet.css">
</head>
<body>
<main id="page"><noscript>${t`This page needs JavaScript: your wallet is asked by it.`}</noscript></main>
<p id="news" class="unseen" role="status"></p>
<script src="words.js"></script>
<script src="wallet.js"></script>
</body>
</html>
`;

/** What the page consists of. @param folder - of the built pages */
export async function walletPage(folder: string): Promise<ReadonlyMap<string, PublicFile>> {
  const words = isTranslated() ? [`words.${pageLanguage()}.js`] : [];
  const [script, style, spoken] = await Promise.all(
    ["wallet.js", "wallet.css", ...words].map((name) => readFile(join(folder, name), "utf8")),
  );
  return new Map([
    ["/", { type: "text/html", text: html() }],
    ["/words.js", { type: "text/javascript", text: spoken ?? "" }],
    ["/wallet.js", { type: "text/javascript", text: script ?? "" }],
    ["/wallet.css", { type: "text/css", text: style ?? "" }],
  ]);
}
