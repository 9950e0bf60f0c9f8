import type { JsonObject, TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { confirmModal, notify, sayInStatusBar } from "../../host/prompts/notify.ts";
import { type InputOptions, inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import { readStatus, tellChain } from "./chain-control.ts";
import { complaint, forgotten, lossOf, missing, parseBlocks, parseSpan, placeText } from "./chain-life.view.ts";
import type { LocalChain } from "./local-chain.ts";

/** What may be done with the life of the chain. */
export type LifeCommand =
  | "finality.localChainMine"
  | "finality.localChainWarp"
  | "finality.localChainSnapshot"
  | "finality.localChainRestore"
  | "finality.localChainReset";

/** Where a command acts, and whether there is somebody to ask. */
export interface LifePlace {
  readonly chain: LocalChain;
  readonly baseUrl: string;
  readonly person: boolean;
}

type Lives = {
  readonly [Id in LifeCommand]: (place: LifePlace, blocks: CommandArguments[Id]) => Promise<JsonObject | undefined>;
};

/** Each gives undefined when the person left. */
export const lives: Lives = {
  "finality.localChainMine": async ({ baseUrl, person }, { blocks }) => {
    const text = blocks ?? (person ? await ask(BLOCKS, "1", parseBlocks) : "1");
    if (text === undefined) return undefined;
    return announced(person, await tellChain(baseUrl, "mine", { blocks: parseBlocks(text) }, "blocks"));
  },
  "finality.localChainWarp": async ({ baseUrl, person }, { ms: blocks }) => {
    const text = blocks ?? (person ? await ask(SPAN, "1 h", parseSpan) : undefined);
    if (text === undefined) return left(person, "ms");
    return announced(person, await tellChain(baseUrl, "warp", { ms: parseSpan(text) }, "ms"));
  },
  "finality.localChainSnapshot": async ({ baseUrl, person }, { id: blocks }) => {
    const id = blocks ?? (person ? await ask(SNAPSHOT, "", () => undefined) : "");
    if (id === undefined) return undefined;
    const taken = await tellChain(baseUrl, "snapshot", id.trim() === "" ? {} : { id: id.trim() }, "id");
    if (person) sayInStatusBar("device-camera", String(taken.id), 5_000);
    return taken;
  },
  "finality.localChainRestore": async (place, { id: blocks }) => {
    const { baseUrl, person } = place;
    const id = blocks ?? (person ? await pickSnapshot(baseUrl) : undefined);
    if (id === undefined) return left(person, "id");
    if (person && !(await confirm(place.chain, id))) return undefined;
    return await goBack(place, "restore", { id });
  },
  "finality.localChainReset": async (place, { confirmed = false }) => {
    if (place.person && !confirmed && !(await confirm(place.chain))) return undefined;
    return await goBack(place, "reset", {});
  },
};

const BLOCKS = { title: t`Mine Blocks`, prompt: t`How many blocks?` };
const SPAN = {
  title: t`Warp Time`,
  prompt: t`How far does chain time jump? For example "90 s", "10 min", "2 h", "1 d".`,
};
const SNAPSHOT = { title: t`Take Snapshot`, prompt: t`A name for it, or nothing: then it gets one.` };

/**
 * The chain says in the same breath what it no longer has: that leaves the list, for nothing of it is final or will be.
 */
async function goBack(place: LifePlace, control: string, body: JsonObject): Promise<JsonObject> {
  const { chain, baseUrl, person } = place;
  const listed = await chain.listedTransactions();
  const asked = { ...body, transactions: listed.map(({ txId }) => txId) };
  const { head, solid, transactions } = await tellChain(baseUrl, control, asked, "id");
  const removed: readonly TxId[] = forgotten(listed, transactions as JsonObject).map(({ txId }) => txId);
  await chain.wentBack(removed);
  return announced(person, { head: head ?? null, solid: solid ?? null, removed: [...removed] });
}

function announced(person: boolean, answer: JsonObject): JsonObject {
  if (person) sayInStatusBar("layers", placeText(answer), 5_000);
  return answer;
}

/** A person left; a program forgot something. */
function left(person: boolean, argument: string): undefined {
  if (!person) throw missing(argument);
}

function ask(words: InputOptions, value: string, parse: (text: string) => unknown) {
  return inputBox({ ...words, value, validateInput: complaint(parse) });
}

async function pickSnapshot(baseUrl: string): Promise<string | undefined> {
  const { snapshots } = await readStatus(baseUrl);
  const items = snapshots.map((label) => ({ label })).reverse();
  if (items.length > 0) return (await quickPick(items, { title: t`Restore Snapshot` }))?.label;
  const take = t`Take Snapshot…`;
  const chosen = await notify("information", t`There is no snapshot yet.`, take);
  if (chosen === take) await vscode.commands.executeCommand("finality.localChainSnapshot");
  return undefined;
}

/** @param snapshot - where to go back to; undefined for the beginning */
async function confirm(chain: LocalChain, snapshot?: string): Promise<boolean> {
  const [live, listed] = [await chain.liveTransactions(), await chain.listedTransactions()];
  const detail = lossOf(snapshot, live.length, listed.length);
  const isReset = snapshot === undefined;
  const question = isReset ? t`Reset the local chain?` : t`Restore the snapshot?`;
  const button = isReset ? t`Reset Local Chain` : t`Restore Snapshot`;
  return await confirmModal({ title: question, detail }, button);
}
