import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { isTranslated, pageLanguage } from "./language.ts";

/** A page of `media/<name>`, as `dist/media/<name>.js` and `.css`. */
export interface PageSource {
  readonly name: string;
  readonly title: string;
  readonly extensionUri: vscode.Uri;
}

/** Shows a page in a webview. Nothing is loaded from elsewhere, and no inline script runs. */
export function showPage(webview: vscode.Webview, { name, title, extensionUri }: PageSource): void {
  const folder = vscode.Uri.joinPath(extensionUri, "dist", "media");
  const uriOf = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = pageHtml({
    title,
    language: pageLanguage(),
    nonce: randomBytes(16).toString("base64"),
    cspSource: webview.cspSource,
    script: uriOf(`${name}.js`),
    style: uriOf(`${name}.css`),
    words: isTranslated() ? uriOf(`words.${pageLanguage()}.js`) : undefined,
  });
}

interface Shell {
  readonly title: string;
  readonly language: string;
  readonly nonce: string;
  readonly cspSource: string;
  readonly script: string;
  readonly style: string;
  readonly words: string | undefined;
}

function pageHtml({ title, language, nonce, cspSource, script, style, words }: Shell): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${escapeHtml(style)}">
</head>
<body>
<main id="page"></main>
<p id="news" class="unseen" role="status"></p>
${[words, script].flatMap((src) => (src === undefined ? [] : [`<script nonce="${nonce}" src="${escapeHtml(src)}"></script>`])).join("\n")}
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
