import { MAX_VOTED_FOR } from "@finality/client/estimates";
import { coinSymbolOf, requireCompleteAccount } from "@finality/client/gateway";
import { purposeText } from "@finality/client/labels";
import type { SystemFacts } from "@finality/client/reviews";
import { readSystemFacts } from "@finality/client/reviews";
import { coinsText, counted, roughly } from "@finality/tron/format";
import { type Address, BLOCK_INTERVAL_MS, type Sun, sun, toBase58 } from "@finality/tron/primitives";
import type { StakePurpose } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { whileWorking } from "../../host/prompts/notify.ts";
import {
  type Ask,
  pickManyStep,
  pickParty,
  pickSigner,
  pickValue,
  type StepResult,
  textStep,
  type ValueItem,
} from "../../host/prompts/quick-input.ts";
import { possibleSigners } from "../../sending/possible-signers.ts";
import type { SystemCommandContext } from "./services.ts";
import {
  checkAmount,
  checkField,
  intentOf,
  REQUIRED_FIELDS,
  type RequiredField,
  SAMPLES,
  type SystemCommandKind,
  type SystemFields,
  type TypedField,
} from "./system-fields.view.ts";
import { checkCount, countQuestion, requireVotingPower, witnessQuestion, witnessRows } from "./votes.view.ts";

/** Returns prompts for missing fields. */
export function promptsFor(
  context: SystemCommandContext,
  kind: SystemCommandKind,
  fields: SystemFields,
): readonly Ask<SystemFields>[] | ((soFar: SystemFields) => readonly Ask<SystemFields>[]) {
  const prompts: { readonly [Q in Exclude<RequiredField, "votes">]: Ask<SystemFields> } = {
    from: promptForOwner(context),
    resource: promptForResource(context, kind),
    to: promptForReceiver(context, kind),
    amount: promptForAmount(context, kind),
    contract: promptForContract(context),
    ...textPrompts(context, kind),
  };
  const missing = REQUIRED_FIELDS[kind].filter((it) => fields[it] === undefined);
  const steps = missing.filter((it) => it !== "votes").map((it) => prompts[it]);
  if (missing.includes("votes")) {
    const more = votePrompts(context);
    return (soFar) => [...steps, ...more(soFar)];
  }
  return kind === "delegate" && fields.lockPeriod === undefined ? [...steps, promptForLock] : steps;
}

function promptForOwner({ accounts, gateway }: SystemCommandContext): Ask<SystemFields> {
  return async (soFar, where) => {
    const signers = await whileWorking(t`Reading the accounts`, (signal) => possibleSigners(gateway, accounts, signal));
    return withField(await pickSigner(where, signers), (from) => ({ ...soFar, from }));
  };
}

const USES: { readonly [P in StakePurpose]: string } = {
  ENERGY: t`pays for contract calls`,
  BANDWIDTH: t`pays for the bytes of transactions`,
  TRON_POWER: t`votes only, if the chain separates them`,
};

/** Prompts for the resource. Offers only those that can be unstaked. */
function promptForResource({ gateway }: SystemCommandContext, kind: SystemCommandKind): Ask<SystemFields> {
  return async (soFar, where) => {
    const stakes = kind === "stake" ? undefined : (await accountOf(gateway, soFar.from))?.stakes;
    const purposes: readonly StakePurpose[] =
      kind === "stake" || kind === "unstake" ? ["ENERGY", "BANDWIDTH", "TRON_POWER"] : ["ENERGY", "BANDWIDTH"];
    const items = purposes.map((purpose): ValueItem<StakePurpose> => {
      const available = stakes && availableAmount(stakes, kind, purpose);
      return {
        label: purposeText(purpose),
        description:
          available === undefined
            ? USES[purpose]
            : `${coinsText(available, coinSymbolOf(gateway.endpoint))} ${AVAILABLE_TEXT[kind] ?? t`staked`}`,
        ...(available === 0n ? {} : { value: purpose }),
      };
    });
    return withField(
      await pickValue(where, { placeholder: PLACEHOLDERS[kind] ?? t`Which resource?`, items }),
      (it) => ({
        ...soFar,
        resource: it,
      }),
    );
  };
}

const AVAILABLE_TEXT: { readonly [K in SystemCommandKind]?: string } = {
  undelegate: t`delegated`,
  delegate: t`staked and not delegated`,
};
const PLACEHOLDERS: { readonly [K in SystemCommandKind]?: string } = {
  stake: t`Stake for what?`,
  unstake: t`Of which stake?`,
  delegate: t`What to delegate?`,
  undelegate: t`Which stake or delegation?`,
};

type Stakes = NonNullable<NonNullable<SystemFacts["owner"]["account"]>["stakes"]>;

function availableAmount({ own, delegated }: Stakes, kind: SystemCommandKind, purpose: StakePurpose): Sun {
  if (kind !== "undelegate") return own[purpose];
  return purpose === "TRON_POWER" ? sun(0n) : delegated[purpose];
}

async function accountOf(gateway: SystemCommandContext["gateway"], from: Address | undefined) {
  const account = from && (await whileWorking(t`Reading the stakes`, (signal) => gateway.account(from, signal)));
  requireCompleteAccount(account, { endpoint: gateway.endpoint, purpose: t`what is staked` });
  return account;
}

const PARTIES: { readonly [K in SystemCommandKind]?: string } = {
  delegate: t`Recipient? Choose an account or paste an address`,
  undelegate: t`Take back from which account? Choose one or paste an address`,
  "token-transfer": t`Recipient? Choose an account or paste an address`,
  "account-creation": t`Which address? Choose an account that is not activated yet, or paste an address`,
};

const NO_OTHER = t`No other account is here, and no address has a name yet. Paste an address above.`;

function promptForReceiver({ parties }: SystemCommandContext, kind: SystemCommandKind): Ask<SystemFields> {
  return async (soFar, where) => {
    const others = parties.filter(({ address }) => address !== soFar.from);
    const step = { placeholder: PARTIES[kind] ?? t`Which account?`, accounts: others, none: NO_OTHER };
    return withField(await pickParty(where, step), (to) => ({ ...soFar, to }));
  };
}

function promptForContract({ contracts }: SystemCommandContext): Ask<SystemFields> {
  const known = contracts.map(({ address, name }) => ({ address, label: name, watchOnly: true }));
  const placeholder = t`Which contract? Choose one that was deployed from here, or paste its address`;
  const none = t`No contract was deployed from here on this network. Paste its address above.`;
  return async (soFar, where) =>
    withField(await pickParty(where, { placeholder, accounts: known, none }), (contract) => ({ ...soFar, contract }));
}

/** Returns prompts for text fields, which show the effect while the user types. */
function textPrompts(
  context: SystemCommandContext,
  kind: SystemCommandKind,
): { readonly [Q in "tokenId" | "units" | "name" | "percent" | "limit"]: Ask<SystemFields> } {
  const ask = (field: TypedField, prompt: string, placeholder: string): Ask<SystemFields> =>
    promptForText(context, kind, field, { prompt, placeholder });
  return {
    tokenId: ask("tokenId", t`Which token? Its number on the chain`, "1000001"),
    units: ask("units", t`How many of the token's smallest units?`, "100"),
    name: ask("name", t`Name of the account? It is public`, "tea-house"),
    percent: ask("percent", t`Percentage of the energy that callers pay?`, "100"),
    limit: ask("limit", t`Maximum energy you pay per call?`, "10000000"),
  };
}

function promptForText(
  { gateway }: SystemCommandContext,
  kind: SystemCommandKind,
  field: TypedField,
  texts: { readonly prompt: string; readonly placeholder: string },
): Ask<SystemFields> {
  return async (soFar, where) => {
    const sample = intentOf(kind, { ...soFar, ...SAMPLES[field] });
    const facts =
      sample &&
      (await whileWorking(t`Reading the chain`, (signal) => readSystemFacts(gateway, sample, noName, signal)));
    const intentFor = (more: SystemFields) => intentOf(kind, { ...soFar, ...more });
    const typed = await textStep(where, {
      ...texts,
      check: (text: string) => checkField(field, text, intentFor, facts),
    });
    return withField(typed, (more) => ({ ...soFar, ...more }));
  };
}

function noName(): undefined {
  return undefined;
}

/** Prompts for an amount and shows its effect while the user types. */
function promptForAmount({ gateway }: SystemCommandContext, kind: SystemCommandKind): Ask<SystemFields> {
  return async (soFar, where) => {
    const intent = intentOf(kind, { ...soFar, amount: sun(0n) });
    if (intent === undefined) return { kind: "left" };
    const facts = await whileWorking(t`Reading the account`, (signal) =>
      readSystemFacts(gateway, intent, noName, signal),
    );
    const check = (text: string) => checkAmount(text, (amount) => intentOf(kind, { ...soFar, amount }), facts);
    const typed = await textStep(where, { prompt: t`How many coins?`, placeholder: "100", check });
    return withField(typed, (amount) => ({ ...soFar, amount }));
  };
}

const BLOCKS_A_DAY = 28_800n;
const LOCKS = [0n, BLOCKS_A_DAY, 3n * BLOCKS_A_DAY, 14n * BLOCKS_A_DAY];

async function promptForLock(
  soFar: SystemFields,
  where: Parameters<Ask<SystemFields>>[1],
): Promise<StepResult<SystemFields>> {
  const items = LOCKS.map((blocks) => ({
    label: blocks === 0n ? t`At any time` : t`Only after ${roughly(Number(blocks) * BLOCK_INTERVAL_MS)}`,
    description: blocks === 0n ? t`not locked` : counted(blocks, t`block`, t`blocks`),
    value: blocks,
  }));
  const picked = await pickValue(where, { placeholder: t`When can it be taken back?`, items });
  return withField(picked, (lockPeriod) => ({ ...soFar, lockPeriod }));
}

function withField<T, A>(result: StepResult<T>, add: (value: T) => A): StepResult<A> {
  return result.kind === "value" ? { kind: "value", value: add(result.value) } : result;
}

type FactsOf = (owner: Address) => Promise<SystemFacts>;

/** Returns prompts for witnesses and for the votes of each. The chain is read once. */
function votePrompts({
  gateway,
  accounts,
}: SystemCommandContext): (soFar: SystemFields) => readonly Ask<SystemFields>[] {
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
  return ({ candidates = [] }) => [promptForCandidates(factsOf), ...candidates.map(() => promptForCount(factsOf))];
}

function promptForCandidates(factsOf: FactsOf): Ask<SystemFields> {
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

function promptForCount(factsOf: FactsOf): Ask<SystemFields> {
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
