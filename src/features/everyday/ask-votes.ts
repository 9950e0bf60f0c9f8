import { MAX_VOTED_FOR } from "@finality/client/estimates";
import { type Address, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { whileWorking } from "../../host/prompts/notify.ts";
import { type Ask, pickManyStep, textStep } from "../../host/prompts/quick-input.ts";
import type { SystemFacts } from "../../labels/system-words.ts";
import { readSystemFacts } from "../../sending/system-facts.ts";
import type { Answers } from "./everyday.view.ts";
import type { EverydayPlace } from "./services.ts";
import { checkCount, countQuestion, requireVotingPower, witnessQuestion, witnessRows } from "./votes.view.ts";

type FactsOf = (owner: Address) => Promise<SystemFacts>;

/** For whom, and then a step for each of them. The chain is asked once for all of them. */
export function asksForVotes({ gateway, accounts }: EverydayPlace): (soFar: Answers) => readonly Ask<Answers>[] {
  let known: { readonly owner: Address; readonly facts: SystemFacts } | undefined;
  const factsOf: FactsOf = async (owner) => {
    if (known?.owner === owner) return known.facts;
    const intent = { kind: "vote", owner, votes: [] } as const;
    const facts = await whileWorking(t`Reading the witnesses`, (signal) =>
      readSystemFacts(gateway, intent, () => undefined, signal),
    );
    requireVotingPower(facts, accounts.find(({ address }) => address === owner)?.label ?? toBase58(owner));
    known = { owner, facts };
    return facts;
  };
  return ({ candidates = [] }) => [askCandidates(factsOf), ...candidates.map(() => askCount(factsOf))];
}

function askCandidates(factsOf: FactsOf): Ask<Answers> {
  return async (soFar, where) => {
    const { from } = soFar;
    if (from === undefined) return { kind: "left" };
    const facts = await factsOf(from);
    const items = witnessRows(facts.voting ?? { witnesses: [], rates: new Map() }, facts.owner.account?.votes ?? []);
    const picked = await pickManyStep(where, { placeholder: witnessQuestion(facts), items, most: MAX_VOTED_FOR });
    if (picked.kind !== "value") return picked;
    return { kind: "value", value: { ...soFar, candidates: picked.value.map(({ address }) => address) } };
  };
}

function askCount(factsOf: FactsOf): Ask<Answers> {
  return async (soFar, where) => {
    const { from: owner, candidates = [], votes: cast = [] } = soFar;
    if (owner === undefined) return { kind: "left" };
    const counting = { facts: await factsOf(owner), owner, candidates, cast };
    const { prompt, value } = countQuestion(counting);
    const check = (text: string) => checkCount(text, counting);
    const typed = await textStep(where, { prompt, placeholder: "100", value, check });
    return typed.kind === "value" ? { kind: "value", value: { ...soFar, votes: typed.value } } : typed;
  };
}
