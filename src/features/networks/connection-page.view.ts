import {
  type CheckGroup,
  type CheckResult,
  checkId,
  type NetworkProfile,
  type PlannedCheck,
  planConnection,
} from "@finality/client/gateway";
import { codeBlock, markdownText } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import type {
  ConnectionButton,
  ConnectionChecklist,
  ConnectionGroup,
  ConnectionLine,
  LineState,
} from "../../webview-messages/connection.ts";
import type { Tone } from "../../webview-messages/timeline.ts";
import { summarizeResults } from "./network.view.ts";

/** Connection test with its progress. */
export interface ConnectionProgress {
  readonly network: NetworkProfile;
  readonly findings: ReadonlyMap<string, CheckResult>;
  /** Checks in progress. */
  readonly begun: ReadonlySet<string>;
  readonly phase: "running" | "done" | "cancelled";
}

const GROUPS: readonly { readonly id: CheckGroup; readonly title: string }[] = [
  { id: "way", title: t`Route to the gateway` },
  { id: "access", title: t`Response and access` },
  { id: "chain", title: t`Chain` },
  { id: "paths", title: t`Required endpoints` },
  { id: "others", title: t`Fallback URLs for reads` },
  { id: "optional", title: t`Optional endpoints` },
];

/** Renders the checklist for the page. */
export function describeChecklist(progress: ConnectionProgress): ConnectionChecklist {
  const { network, findings, phase } = progress;
  const plan = planConnection(network);
  const lines = plan.map((planned) => ({ planned, line: describeLine(planned, progress) }));
  const cause = lines.find(({ line }) => line.state === "failed")?.line ?? null;
  const done = plan.filter((it) => findings.has(checkId(it))).length;
  const groups = GROUPS.flatMap(({ id, title }) => {
    const own = lines.filter(({ planned }) => planned.group === id).map(({ line }) => line);
    return own.length === 0 ? [] : [groupOf(id, title, own)];
  });
  return {
    network: network.name,
    production: network.production,
    title: titleOf(progress),
    state: stateOf(
      progress,
      lines.map(({ line }) => line),
    ),
    cause,
    progress: phase === "running" ? { done, total: plan.length } : null,
    groups,
    buttons: buttonsOf(progress),
  };
}

function titleOf({ network, phase, findings }: ConnectionProgress): string {
  if (phase === "running") return t`Testing ${network.name}…`;
  return phase === "cancelled"
    ? t`The test of ${network.name} was cancelled`
    : summarizeResults(network.name, [...findings.values()]);
}

function stateOf({ phase }: ConnectionProgress, lines: readonly ConnectionLine[]): ConnectionChecklist["state"] {
  const many = (state: LineState): number => lines.filter((it) => it.state === state).length;
  const [failed, warnings, fine] = [many("failed"), many("warning"), many("ok")];
  const counts = [
    t`${fine} passed`,
    ...(warnings === 0 ? [] : [t`${warnings} with a warning`]),
    ...(failed === 0 ? [] : [t`${failed} failed`]),
    ...(many("skipped") === 0 || phase === "running" ? [] : [t`${many("skipped")} skipped`]),
  ];
  const text = counts.join(" · ");
  if (phase === "running") return { text, icon: "sync~spin", tone: "moving" };
  if (failed > 0) return { text, icon: "error", tone: "bad" };
  if (warnings > 0) return { text, icon: "warning", tone: "warning" };
  return {
    text,
    icon: phase === "cancelled" ? "circle-slash" : "pass",
    tone: phase === "cancelled" ? "neutral" : "good",
  };
}

const STATE_STYLES: {
  readonly [S in LineState]: { readonly icon: string; readonly tone: Tone; readonly spoken: string };
} = {
  waiting: { icon: "circle-large-outline", tone: "neutral", spoken: t`not checked yet` },
  running: { icon: "sync~spin", tone: "moving", spoken: t`checking` },
  ok: { icon: "pass", tone: "good", spoken: t`passed` },
  warning: { icon: "warning", tone: "warning", spoken: t`warning` },
  failed: { icon: "error", tone: "bad", spoken: t`failed` },
  skipped: { icon: "circle-slash", tone: "neutral", spoken: t`skipped` },
};

function describeLine(planned: PlannedCheck, { findings, begun, phase }: ConnectionProgress): ConnectionLine {
  const id = checkId(planned);
  const found = findings.get(id);
  const state = found?.status ?? (phase === "running" && begun.has(id) ? "running" : "waiting");
  const fix = found === undefined ? undefined : fixFor(found);
  return {
    id,
    title: planned.title,
    state,
    ...STATE_STYLES[state],
    sentence: found === undefined ? null : beside(planned.title, found.sentence),
    nextStep: found?.nextStep ?? null,
    took: found?.ms === undefined ? null : t`${found.ms} ms`,
    fix: fix === undefined ? null : { id, label: fix.label },
  };
}

/** Continues a sentence that starts with the title of its row. */
function beside(title: string, message: string): string {
  const [, rest] = message.startsWith(title) ? (/^(?:：|:? )(.+)$/s.exec(message.slice(title.length)) ?? []) : [];
  return rest === undefined ? message : rest.charAt(0).toUpperCase() + rest.slice(1);
}

function groupOf(id: CheckGroup, title: string, lines: readonly ConnectionLine[]): ConnectionGroup {
  const fine = lines.filter(({ state }) => state === "ok").length;
  return { id, title, summary: t`${fine} of ${lines.length} passed`, folded: id === "optional", lines };
}

function buttonsOf({ phase, findings }: ConnectionProgress): readonly ConnectionButton[] {
  const button = (action: ConnectionButton["action"], label: string, icon: string, primary = false) => {
    return { action, label, icon, primary };
  };
  if (phase === "running") return [button("cancel", t`Cancel`, "debug-stop", true)];
  const isOtherChain = findings.get("chain")?.status === "failed";
  return [
    button("again", t`Test Again`, "refresh", true),
    button("copy-report", t`Copy Report`, "copy"),
    button("show-log", t`Show Log`, "output"),
    ...(isOtherChain ? [button("accept-chain", t`Accept New Chain…`, "check")] : []),
  ];
}

const MARKS = { ok: "ok", warning: "WARNING", failed: "FAILED", skipped: "-" } as const;

/**
 * Returns the checklist as text for a ticket or a chat. Texts of servers are formatted as code. URLs are reduced to
 * their origin, because some gateways take a key in the path.
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
    `# ${markdownText(summarizeResults(network.name, all))}`,
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

/** Command that can fix a failed check. */
interface Fix {
  readonly label: string;
  readonly command:
    | "finality.editNetwork"
    | "finality.setApiKey"
    | "finality.jwtKeys"
    | "workbench.action.openSettings";
}

const EDIT: Fix = { label: t`Edit Network…`, command: "finality.editNetwork" };
const PROXY: Fix = { label: t`Open Proxy Settings`, command: "workbench.action.openSettings" };
const API_KEY: Fix = { label: t`Set API Key…`, command: "finality.setApiKey" };
const JWT_KEYS: Fix = { label: t`JWT Keys…`, command: "finality.jwtKeys" };

/** Undefined if nothing is wrong, or if no command can fix it. */
export function fixFor({ check, status }: CheckResult): Fix | undefined {
  if (status !== "failed" && status !== "warning") return undefined;
  switch (check) {
    case "api-key":
    case "rate-limit":
      return API_KEY;
    case "jwt-key":
    case "public-key":
    case "key-id":
      return JWT_KEYS;
    case "proxy":
      return PROXY;
    case "address":
    case "origin":
    case "name":
    case "connection":
    case "tls":
    case "gateway":
    case "audience":
    case "token":
    case "solidity-url":
    case "same-chain":
    case "other-url":
      return EDIT;
    case "chain":
    case "clock":
    case "fork":
    case "head":
    case "solidified":
    case "path":
    case "optional-path":
      return undefined;
  }
}
