import { coinSymbolOf, requireCompleteAccount } from "@finality/client/gateway";
import { coinsText, counted, roughly } from "@finality/tron/format";
import { type Address, BLOCK_INTERVAL_MS, type Sun, sun } from "@finality/tron/primitives";
import type { StakePurpose } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { whileWorking } from "../../host/prompts/notify.ts";
import {
  type Ask,
  pickParty,
  pickSigner,
  pickValue,
  type StepResult,
  textStep,
  type ValueItem,
} from "../../host/prompts/quick-input.ts";
import { purposeText } from "../../labels/intents.ts";
import type { SystemFacts } from "../../labels/system-words.ts";
import { possibleSigners } from "../../sending/possible-signers.ts";
import { readSystemFacts } from "../../sending/system-facts.ts";
import { asksForVotes } from "./ask-votes.ts";
import {
  type Answers,
  checkAmount,
  checkField,
  type EverydayKind,
  intentOf,
  QUESTIONS,
  type Question,
  SAMPLES,
  type TypedField,
} from "./everyday.view.ts";
import type { EverydayPlace } from "./services.ts";

/** A step for each thing that is not known yet. */
export function asksFor(
  place: EverydayPlace,
  kind: EverydayKind,
  known: Answers,
): (soFar: Answers) => readonly Ask<Answers>[] {
  const asks: { readonly [Q in Exclude<Question, "votes">]: Ask<Answers> } = {
    from: askFrom(place),
    resource: askResource(place, kind),
    to: askTo(place, kind),
    amount: askAmount(place, kind),
    contract: askContract(place),
    ...texts(place, kind),
  };
  const missing = QUESTIONS[kind].filter((it) => known[it] === undefined);
  const steps = missing.filter((it) => it !== "votes").map((it) => asks[it]);
  const more = missing.includes("votes") ? asksForVotes(place) : () => [];
  const locks = kind === "delegate" && known.lockPeriod === undefined;
  return (soFar) => [...steps, ...(locks ? [askLock] : more(soFar))];
}

function askFrom({ accounts, gateway }: EverydayPlace): Ask<Answers> {
  return async (soFar, where) => {
    const signers = await whileWorking(t`Reading the accounts`, (signal) => possibleSigners(gateway, accounts, signal));
    return answered(await pickSigner(where, signers), (from) => ({ ...soFar, from }));
  };
}

const USES: { readonly [P in StakePurpose]: string } = {
  ENERGY: t`pays for contract calls`,
  BANDWIDTH: t`pays for the bytes of transactions`,
  TRON_POWER: t`votes alone, where the chain keeps them apart`,
};

/** Which purposes can be chosen: whatever can be taken back has to be there. */
function askResource({ gateway }: EverydayPlace, kind: EverydayKind): Ask<Answers> {
  return async (soFar, where) => {
    const stakes = kind === "stake" ? undefined : (await accountOf(gateway, soFar.from))?.stakes;
    const purposes: readonly StakePurpose[] =
      kind === "stake" || kind === "unstake" ? ["ENERGY", "BANDWIDTH", "TRON_POWER"] : ["ENERGY", "BANDWIDTH"];
    const items = purposes.map((purpose): ValueItem<StakePurpose> => {
      const there = stakes && amountThere(stakes, kind, purpose);
      return {
        label: purposeText(purpose),
        description:
          there === undefined
            ? USES[purpose]
            : `${coinsText(there, coinSymbolOf(gateway.endpoint))} ${THERE[kind] ?? t`staked`}`,
        ...(there === 0n ? {} : { value: purpose }),
      };
    });
    return answered(await pickValue(where, { placeholder: PLACEHOLDERS[kind] ?? t`Which resource?`, items }), (it) => ({
      ...soFar,
      resource: it,
    }));
  };
}

const THERE: { readonly [K in EverydayKind]?: string } = { undelegate: t`lent`, delegate: t`staked and not lent` };
const PLACEHOLDERS: { readonly [K in EverydayKind]?: string } = {
  stake: t`For what?`,
  unstake: t`Of which stake?`,
  delegate: t`What to lend?`,
  undelegate: t`What to take back?`,
};

type Stakes = NonNullable<NonNullable<SystemFacts["owner"]["account"]>["stakes"]>;

function amountThere({ own, delegated }: Stakes, kind: EverydayKind, purpose: StakePurpose): Sun {
  if (kind !== "undelegate") return own[purpose];
  return purpose === "TRON_POWER" ? sun(0n) : delegated[purpose];
}

async function accountOf(gateway: EverydayPlace["gateway"], from: Address | undefined) {
  const account = from && (await whileWorking(t`Reading the stakes`, (signal) => gateway.account(from, signal)));
  requireCompleteAccount(account, { endpoint: gateway.endpoint, purpose: t`what is staked` });
  return account;
}

const PARTIES: { readonly [K in EverydayKind]?: string } = {
  delegate: t`To whom? Choose an account or paste an address`,
  undelegate: t`From whom? Choose an account or paste an address`,
  "token-transfer": t`To whom? Choose an account or paste an address`,
  "account-creation": t`Which address? Choose an account that is not activated yet, or paste an address`,
};

const NO_OTHER = t`No other account is here, and no address has a name yet. Paste an address above.`;

function askTo({ parties }: EverydayPlace, kind: EverydayKind): Ask<Answers> {
  return async (soFar, where) => {
    const others = parties.filter(({ address }) => address !== soFar.from);
    const step = { placeholder: PARTIES[kind] ?? t`Whose?`, accounts: others, none: NO_OTHER };
    return answered(await pickParty(where, step), (to) => ({ ...soFar, to }));
  };
}

function askContract({ contracts }: EverydayPlace): Ask<Answers> {
  const known = contracts.map(({ address, name }) => ({ address, label: name, watchOnly: true }));
  const placeholder = t`Which contract? Choose one that was deployed from here, or paste its address`;
  const none = t`No contract was deployed from here on this network. Paste its address above.`;
  return async (soFar, where) =>
    answered(await pickParty(where, { placeholder, accounts: known, none }), (contract) => ({ ...soFar, contract }));
}

/** What is typed as a text, with what it does while it is typed. */
function texts(
  place: EverydayPlace,
  kind: EverydayKind,
): { readonly [Q in "tokenId" | "units" | "name" | "percent" | "limit"]: Ask<Answers> } {
  const ask = (field: TypedField, prompt: string, placeholder: string): Ask<Answers> =>
    askText(place, kind, field, { prompt, placeholder });
  return {
    tokenId: ask("tokenId", t`Which token? Its number on the chain`, "1000001"),
    units: ask("units", t`How many of the token's smallest units?`, "100"),
    name: ask("name", t`Which name? Everybody can read it`, "tea-house"),
    percent: ask("percent", t`How much of the energy do callers pay, in percent?`, "100"),
    limit: ask("limit", t`How much energy do you pay at most for one call?`, "10000000"),
  };
}

function askText(
  { gateway }: EverydayPlace,
  kind: EverydayKind,
  field: TypedField,
  words: { readonly prompt: string; readonly placeholder: string },
): Ask<Answers> {
  return async (soFar, where) => {
    const sample = intentOf(kind, { ...soFar, ...SAMPLES[field] });
    const facts =
      sample &&
      (await whileWorking(t`Reading the chain`, (signal) => readSystemFacts(gateway, sample, noName, signal)));
    const intentFor = (more: Answers) => intentOf(kind, { ...soFar, ...more });
    const typed = await textStep(where, {
      ...words,
      check: (text: string) => checkField(field, text, intentFor, facts),
    });
    return answered(typed, (more) => ({ ...soFar, ...more }));
  };
}

function noName(): undefined {
  return undefined;
}

/** How much, with what it brings while it is typed. */
function askAmount({ gateway }: EverydayPlace, kind: EverydayKind): Ask<Answers> {
  return async (soFar, where) => {
    const intent = intentOf(kind, { ...soFar, amount: sun(0n) });
    if (intent === undefined) return { kind: "left" };
    const facts = await whileWorking(t`Reading the account`, (signal) =>
      readSystemFacts(gateway, intent, noName, signal),
    );
    const check = (text: string) => checkAmount(text, (amount) => intentOf(kind, { ...soFar, amount }), facts);
    const typed = await textStep(where, { prompt: t`How many coins?`, placeholder: "100", check });
    return answered(typed, (amount) => ({ ...soFar, amount }));
  };
}

const BLOCKS_A_DAY = 28_800n;
const LOCKS = [0n, BLOCKS_A_DAY, 3n * BLOCKS_A_DAY, 14n * BLOCKS_A_DAY];

async function askLock(soFar: Answers, where: Parameters<Ask<Answers>>[1]): Promise<StepResult<Answers>> {
  const items = LOCKS.map((blocks) => ({
    label:
      blocks === 0n ? t`Whenever I want` : t`Not before ${roughly(Number(blocks) * BLOCK_INTERVAL_MS)} have passed`,
    description: blocks === 0n ? t`not locked` : counted(blocks, t`block`, t`blocks`),
    value: blocks,
  }));
  const picked = await pickValue(where, { placeholder: t`When may it be taken back?`, items });
  return answered(picked, (lockPeriod) => ({ ...soFar, lockPeriod }));
}

function answered<T, A>(result: StepResult<T>, add: (value: T) => A): StepResult<A> {
  return result.kind === "value" ? { kind: "value", value: add(result.value) } : result;
}
