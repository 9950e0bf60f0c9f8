import { checkId, type NetworkProfile, planConnection } from "@finality/client/gateway";
import { codeBlock, markdownText } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import type { ConnectionProgress } from "./connection-page.view.ts";
import { summarizeFindings } from "./network.view.ts";

const MARKS = { ok: "ok", warning: "WARNING", failed: "FAILED", skipped: "-" } as const;

/**
 * The checklist as text for a ticket or a chat: texts of servers are code, and of a URL nothing but the origin is shown,
 * for some gateways take a key in the path.
 *
 * @param time - Unix ms
 */
export function connectionReport({ network, findings }: ConnectionProgress, time: number): string {
  const all = planConnection(network).flatMap((it) => findings.get(checkId(it)) ?? []);
  const lines = all.flatMap(({ check, of, status, sentence, nextStep, ms }) => [
    `[${MARKS[status]}] ${of === undefined ? check : of}${ms === undefined ? "" : t` (${ms} ms)`}: ${sentence}`,
    ...(nextStep === undefined || status === "ok" ? [] : [`    ${nextStep}`]),
  ]);
  const { jwt, production, local } = network;
  const facts = [
    production ? t`real money` : t`no real money`,
    jwt ? t`JWT on` : t`JWT off`,
    ...(local ? [t`local chain`] : []),
  ];
  return [
    `# ${markdownText(summarizeFindings(network.name, all))}`,
    `${new Date(time).toISOString()} · ${facts.join(" · ")}`,
    codeBlock("text", withoutPaths(lines.join("\n"), network), LONGEST),
  ]
    .join("\n\n")
    .concat("\n");
}

const LONGEST = 20_000;

function withoutPaths(text: string, { baseUrl, solidityBaseUrl, fallbackUrls }: NetworkProfile): string {
  const urls = [baseUrl, ...(solidityBaseUrl === undefined ? [] : [solidityBaseUrl]), ...fallbackUrls];
  const byLength = urls.toSorted((left, right) => right.length - left.length);
  return byLength.reduce((shown, url) => {
    const { origin, pathname } = new URL(url);
    return pathname === "/" ? shown : shown.replaceAll(url, `${origin}/…`);
  }, text);
}
