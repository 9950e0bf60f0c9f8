import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PublicFile } from "./loopback-server.ts";

/**
 * Holds nothing of a transaction: the page asks for what it shows, with the secret of its address. Its parts are named
 * from where it is: some tunnels put a path before it.
 */
const HTML = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Finality: your wallet</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="wallet.css">
</head>
<body>
<main id="page"><noscript>This page needs JavaScript: your wallet is asked by it.</noscript></main>
<p id="news" class="unseen" role="status"></p>
<script src="wallet.js"></script>
</body>
</html>
`;

/** What the page consists of. @param folder - of the built pages */
export async function walletPage(folder: string): Promise<ReadonlyMap<string, PublicFile>> {
  const [script, style] = await Promise.all(
    ["wallet.js", "wallet.css"].map((name) => readFile(join(folder, name), "utf8")),
  );
  return new Map([
    ["/", { type: "text/html", text: HTML }],
    ["/wallet.js", { type: "text/javascript", text: script ?? "" }],
    ["/wallet.css", { type: "text/css", text: style ?? "" }],
  ]);
}
