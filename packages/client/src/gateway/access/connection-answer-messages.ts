import { counted, grouped, roughly } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Said } from "./connection-messages.ts";

/** A text of a server is no longer than this. */
const FOREIGN = 60;
const quoted = (text: string): string => `“${visibleLine(text, FOREIGN)}”`;
const seconds = (ms: number): string => t`${Math.max(1, Math.round(ms / 1000))} s`;

/** Of the first answer. */
export const gatewayWords = {
  answered: (ms: number): Said => ({ sentence: t`The gateway answered in ${ms} ms.` }),
  refusedWith: (status: number): Said => ({ sentence: t`The gateway answered with the status ${status}.` }),
  silent: (ms: number | undefined): Said => ({
    sentence:
      ms === undefined
        ? t`It took the request and closed the connection without an answer, as gateways do to a token that they do not accept.`
        : t`It took the request and gave no answer in ${seconds(ms)}, as gateways do to a token that they do not accept.`,
  }),
  slow: (ms: number): Said => ({
    sentence: t`The gateway took the request and gave no answer in ${seconds(ms)}.`,
    nextStep: t`It is overloaded, or stands still. Test again later, or use another URL of the chain.`,
  }),
  reset: {
    sentence: t`The connection was reset as soon as the request arrived.`,
    nextStep: t`A firewall or a load balancer may cut it, or the node behind it is down. If the account has JWT on, turn it on for this network.`,
  },
  truncated: (reason: string): Said => ({
    sentence: t`The gateway began an answer and did not end it: ${visibleLine(reason, FOREIGN)}.`,
    nextStep: t`A proxy or a load balancer on the way may cut answers. Test again, or from another network.`,
  }),
  page: (title: string): Said => ({
    sentence:
      title === ""
        ? t`A web page answered, and no gateway.`
        : t`A web page answered, ${quoted(title)}, and no gateway.`,
    nextStep: t`If this network (a hotel, a train) wants a sign-in, open a browser and do it. Else the URL is that of a web site.`,
  }),
  redirected: (status: number, to: string): Said => ({
    sentence: t`The answer (${status}) leads elsewhere${to === "" ? "" : t`, to ${quoted(to)}`}, and keys are sent to no URL but the one that is set.`,
    nextStep: t`If this network wants a sign-in, open a browser and do it. Else set the URL to which the gateway moved.`,
  }),
  noJson: (start: string): Said => ({
    sentence: start === "" ? t`The answer is empty.` : t`The answer is not JSON; it begins with ${quoted(start)}.`,
    nextStep: t`Something else than a gateway answers at this URL: check it.`,
  }),
  notHttp: {
    sentence: t`What came back is not HTTP.`,
    nextStep: t`Check the port in the URL: 8090 on a plain node.`,
  },
  onlyHttp2: (port: number): Said => ({
    sentence: t`Port ${port} speaks HTTP/2 only, as a gRPC port does; gateways are asked by HTTP/1.1.`,
    nextStep: t`Use the HTTP port: 8090 on a plain node, where 50051 is gRPC.`,
  }),
  wantsTls: (port: number): Said => ({
    sentence: t`Port ${port} wants encryption, and the URL says http.`,
    nextStep: t`Write https:// in the URL of the network.`,
  }),
  wrongPath: (status: number, path: string): Said => ({
    sentence: t`A server answered ${status} to ${path}, which every gateway has.`,
    nextStep: t`Check the path in the URL of the network, and that it is the URL of a gateway.`,
  }),
  solidityPort: {
    sentence: t`This URL serves solidified data alone (/walletsolidity), and nothing under /wallet.`,
    nextStep: t`Set it as "URL of solidified data", and the port of the full node (8090 on a plain node) as URL.`,
  },
  failing: (status: number): Said => ({
    sentence: t`The gateway answered ${status}: it is overloaded, or the node behind it is down.`,
    nextStep: t`Test again later, or use another URL of the chain.`,
  }),
  refusedBy: (status: number): Said => ({
    sentence: t`The gateway refused the request with the status ${status}.`,
    nextStep: t`Check the URL of the network.`,
  }),
  unreachable: (sentence: string): Said => ({
    sentence,
    nextStep: t`Check the URL of the network, the proxy settings, and that the node runs.`,
  }),
} as const;

export const rateWords = {
  limited: (status: number, waitMs: number | undefined): Said => ({
    sentence: t`The gateway answered ${status}: too many requests.${waitMs === undefined ? "" : t` It asks to wait ${seconds(waitMs)}.`}`,
    nextStep: t`Wait, then test again. An API key, or a larger plan, allows more requests.`,
  }),
  limitedLater: (requests: number): Said => ({
    sentence: t`The gateway refused more requests after ${counted(requests, t`request`, t`requests`)} of this test.`,
    nextStep: t`An API key, or a larger plan, allows more requests. What was not asked any more is marked.`,
  }),
  seen: (headers: readonly string[]): Said => ({ sentence: t`It tells its limits: ${headers.join(", ")}.` }),
  none: { sentence: t`No header tells its limits.` },
} as const;

/** Of the chain behind the URLs. Times are in ms. */
export const chainWords = {
  headFresh: (height: number, ageMs: number): Said => ({
    sentence: t`The newest block is ${grouped(height)}, ${seconds(Math.max(0, ageMs))} old.`,
  }),
  headLocal: (height: number): Said => ({ sentence: t`The newest block is ${grouped(height)}.` }),
  headOld: (height: number, ageMs: number, isMeasured: boolean): Said => ({
    sentence: t`The newest block, ${grouped(height)}, is ${roughly(ageMs)} old${isMeasured ? "" : t` by the clock of this computer`}: the node does not keep up with the chain, or the chain stands still.`,
    nextStep: t`Wait until the node has caught up, or use another URL of the chain.`,
  }),
  headAhead: (height: number, aheadMs: number): Said => ({
    sentence: t`The newest block, ${grouped(height)}, is ${roughly(aheadMs)} ahead of the clock.`,
    nextStep: t`Check the clock of this computer, and that of the gateway.`,
  }),
  noHead: (path: string): Said => ({ sentence: t`${path} is not served, so the newest block is not known.` }),
  solid: (height: number, behind: number): Said => ({
    sentence: t`Block ${grouped(height)} is solidified, ${counted(behind, t`block`, t`blocks`)} behind the newest one.`,
  }),
  solidAlone: (height: number, ageMs: number): Said => ({
    sentence: t`Block ${grouped(height)} is solidified, ${seconds(Math.max(0, ageMs))} old.`,
  }),
  solidBehind: (height: number, behind: number): Said => ({
    sentence: t`The solidified data end at block ${grouped(height)}, ${counted(behind, t`block`, t`blocks`)} behind the newest one; about 20 are usual.`,
    nextStep: t`Nothing becomes final here until they follow. Ask whoever runs the node, or use another URL of solidified data.`,
  }),
  solidOld: (height: number, ageMs: number): Said => ({
    sentence: t`The newest solidified block, ${grouped(height)}, is ${roughly(ageMs)} old.`,
    nextStep: t`Nothing becomes final here until they follow. Ask whoever runs the node, or use another URL of solidified data.`,
  }),
  solidAhead: (height: number, ahead: number): Said => ({
    sentence: t`The solidified block ${grouped(height)} is ${counted(ahead, t`block`, t`blocks`)} ahead of the newest one: the two sides are different nodes, and the one of /wallet is behind.`,
    nextStep: t`Use URLs of one node, or wait until the other one has caught up.`,
  }),
  noSolid: (path: string): Said => ({ sentence: t`${path} is not served, so it is not known what is solidified.` }),
  sameChain: (chain: string): Said => ({ sentence: t`Both sides have the same first block; it begins with ${chain}.` }),
  otherChain: (head: string, solid: string): Said => ({
    sentence: t`The two sides are different chains: the first block of /wallet begins with ${head}, that of /walletsolidity with ${solid}.`,
    nextStep: t`Set "URL of solidified data" to the same chain, or leave it out.`,
  }),
  notCompared: (path: string): Said => ({
    sentence: t`${path} is not served, so both sides could not be compared by their first blocks.`,
  }),
  sameFork: (height: number): Said => ({ sentence: t`Both sides have the same block ${grouped(height)}.` }),
  otherFork: (height: number): Said => ({
    sentence: t`The two sides have different blocks ${grouped(height)}: the node of /wallet is on a fork of its own.`,
    nextStep: t`Send nothing there. Ask whoever runs the node, or use another URL of the chain.`,
  }),
  forkUnknown: { sentence: t`Blocks of both sides could not be compared.` },
} as const;

export const versionWords = {
  fine: (version: string): Said => ({ sentence: t`The node is of version ${visibleLine(version, 20)}.` }),
  /** @param needed - from which on energy is estimated by the node */
  old: (version: string, needed: string): Said => ({
    sentence: t`The node is of version ${visibleLine(version, 20)}; estimates of energy need ${needed}.`,
    nextStep: t`Energy is taken from a trial run instead. Ask whoever runs the node to update it.`,
  }),
  unknown: (path: string): Said => ({ sentence: t`${path} is not served, so the version of the node is not known.` }),
} as const;

export const pathWords = {
  served: (path: string, ms: number): Said => ({ sentence: t`${path} answers, in ${ms} ms.` }),
  missing: (path: string, status: number): Said => ({
    sentence: t`${path} is not served (${status}), and every gateway promises it.`,
    nextStep: t`Ask whoever runs the gateway, or use another URL.`,
  }),
  solidityMissing: (path: string, status: number, isOwn: boolean): Said => ({
    sentence: t`${path} is not served (${status})${isOwn ? t`: the URL of solidified data may be that of the full node` : ""}.`,
    nextStep: t`Plain nodes serve it on a port of its own, often 8091: set "URL of solidified data".`,
  }),
  /** @param loss - what is done without it */
  estimatesMissing: (path: string, loss: string): Said => ({
    sentence: t`${path} is not served: ${loss}.`,
    nextStep: t`It exists from version 4.7.0.1 of the node on, and an operator may turn it off.`,
  }),
  /** @param loss - what cannot be done without it */
  optionalMissing: (path: string, loss: string): Said => ({ sentence: t`${path} is not served: ${loss}.` }),
  /** @param sentence - of the failure */
  failed: (path: string, sentence: string): Said => ({
    sentence: `${path}: ${sentence}`,
    nextStep: t`Test again. If it stays so, ask whoever runs the gateway.`,
  }),
  optionalSilent: (path: string): Said => ({
    sentence: t`${path} was not asked: the gateway stays silent to paths that it does not serve.`,
  }),
  optionalFailed: (path: string, sentence: string): Said => ({ sentence: `${path}: ${sentence}` }),
} as const;

export const otherUrlWords = {
  /** @param height - of its newest solidified block, where it tells it */
  fine: (url: string, height: number | undefined): Said => ({
    sentence: t`${url} has the same chain${height === undefined ? "" : t`, solidified up to block ${grouped(height)}`}.`,
  }),
  solid: (url: string): Said => ({ sentence: t`${url} serves solidified data.` }),
  notSolid: (url: string, status: number): Said => ({
    sentence: t`${url} answers ${status} to /walletsolidity: it serves no solidified data, as the port of a full node.`,
    nextStep: t`Set "URL of solidified data" to the port of solidified data: 8091 on a plain node.`,
  }),
  /** @param said - what is wrong there */
  failed: (url: string, { sentence, nextStep = t`Check this URL, or leave it out.` }: Said): Said => ({
    sentence: `${url}: ${sentence}`,
    nextStep,
  }),
  otherChain: (url: string, chain: string, own: string): Said => ({
    sentence: t`${url} is another chain: its first block begins with ${chain}, that of this network with ${own}.`,
    nextStep: t`Edit the network and leave this URL out.`,
  }),
  noFirstBlock: (url: string): Said => ({
    sentence: t`${url} answers, and does not show its first block, so its chain is not known.`,
    nextStep: t`Ask whoever runs it for block 0, or leave this URL out.`,
  }),
} as const;

/** Why something was not looked at. */
export const skippedWords = {
  after: (title: string): Said => ({ sentence: t`Not checked, because of what stands above: ${title}.` }),
  cancelled: { sentence: t`Not checked: the test was cancelled.` },
  late: { sentence: t`Not checked: the time for the whole test was over.` },
  notKept: { sentence: t`Nothing is kept of this chain to compare it with.` },
  limited: { sentence: t`Not checked, because the gateway asked for fewer requests.` },
} as const;
