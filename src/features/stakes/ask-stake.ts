import type { Address } from "../../core/primitives/address.ts";
import { type Sun, sun } from "../../core/primitives/amount.ts";
import { BLOCK_INTERVAL_MS } from "../../core/primitives/block.ts";
import type { StakePurpose } from "../../core/transaction/intent.ts";
import { pickParty, pickSigner, pickValue, type ValueItem } from "../../host/prompts/ask-account.ts";
import type { Ask } from "../../host/prompts/ask-steps.ts";
import { type StepResult, textStep } from "../../host/prompts/step-input.ts";
import { whileWorking } from "../../host/sending/dialogs.ts";
import { readSystemFacts } from "../../host/sending/send-system.ts";
import { coinsText } from "../../words/forms/coins.ts";
import { roughly } from "../../words/forms/durations.ts";
import { counted } from "../../words/forms/numbers.ts";
import { purposeText } from "../../words/sentences/intents.ts";
import type { SystemFacts } from "../../words/sentences/system-review.ts";
import type { StakePlace } from "./services.ts";
import { checkAmount, intentOf, QUESTIONS, type Question, type StakeAnswers, type StakeKind } from "./stakes.view.ts";

/** A step for each thing that is not known yet. */
export function asksFor(place: StakePlace, kind: StakeKind, known: StakeAnswers): () => readonly Ask<StakeAnswers>[] {
  const asks: { readonly [Q in Question]: Ask<StakeAnswers> } = {
    from: askFrom(place),
    resource: askResource(place, kind),
    to: askTo(place, kind),
    amount: askAmount(place, kind),
  };
  const steps = QUESTIONS[kind].filter((it) => known[it] === undefined).map((it) => asks[it]);
  const locks = kind === "delegate" && known.lockPeriod === undefined;
  return () => (locks ? [...steps, askLock] : steps);
}

function askFrom({ accounts }: StakePlace): Ask<StakeAnswers> {
  return async (soFar, where) => answered(await pickSigner(where, accounts), (from) => ({ ...soFar, from }));
}

const USES: { readonly [P in StakePurpose]: string } = {
  ENERGY: "pays for contract calls",
  BANDWIDTH: "pays for the bytes of transactions",
  TRON_POWER: "votes alone, where the chain keeps them apart",
};

/** Which purposes can be chosen: whatever can be taken back has to be there. */
function askResource({ gateway }: StakePlace, kind: StakeKind): Ask<StakeAnswers> {
  return async (soFar, where) => {
    const stakes = kind === "stake" ? undefined : (await accountOf(gateway, soFar.from))?.stakes;
    const purposes: readonly StakePurpose[] =
      kind === "stake" || kind === "unstake" ? ["ENERGY", "BANDWIDTH", "TRON_POWER"] : ["ENERGY", "BANDWIDTH"];
    const items = purposes.map((purpose): ValueItem<StakePurpose> => {
      const there = stakes && amountThere(stakes, kind, purpose);
      return {
        label: purposeText(purpose),
        description: there === undefined ? USES[purpose] : `${coinsText(there)} ${THERE[kind] ?? "staked"}`,
        ...(there === 0n ? {} : { value: purpose }),
      };
    });
    return answered(await pickValue(where, { placeholder: PLACEHOLDERS[kind] ?? "Which resource?", items }), (it) => ({
      ...soFar,
      resource: it,
    }));
  };
}

const THERE: { readonly [K in StakeKind]?: string } = { undelegate: "lent", delegate: "staked and not lent" };
const PLACEHOLDERS: { readonly [K in StakeKind]?: string } = {
  stake: "For what?",
  unstake: "Of which stake?",
  delegate: "What to lend?",
  undelegate: "What to take back?",
};

type Stakes = NonNullable<NonNullable<SystemFacts["owner"]["account"]>["stakes"]>;

function amountThere({ own, lent }: Stakes, kind: StakeKind, purpose: StakePurpose): Sun {
  if (kind !== "undelegate") return own[purpose];
  return purpose === "TRON_POWER" ? sun(0n) : lent[purpose];
}

async function accountOf(gateway: StakePlace["gateway"], from: Address | undefined) {
  return from && (await whileWorking("Reading the stakes", () => gateway.account(from)));
}

function askTo({ accounts }: StakePlace, kind: StakeKind): Ask<StakeAnswers> {
  const placeholder =
    kind === "delegate" ? "To whom? Choose an account or paste an address" : "From whom? Choose an account or paste it";
  return async (soFar, where) => {
    const others = accounts.filter(({ address }) => address !== soFar.from);
    return answered(await pickParty(where, placeholder, others), (to) => ({ ...soFar, to }));
  };
}

/** How much, with what it brings while it is typed. */
function askAmount({ gateway }: StakePlace, kind: StakeKind): Ask<StakeAnswers> {
  return async (soFar, where) => {
    const intent = intentOf(kind, { ...soFar, amount: sun(0n) });
    if (intent === undefined) return { kind: "left" };
    const facts = await whileWorking("Reading the account", () => readSystemFacts(gateway, intent, () => undefined));
    const check = (text: string) => checkAmount(text, (amount) => intentOf(kind, { ...soFar, amount }), facts);
    const typed = await textStep(where, { prompt: "How many coins?", placeholder: "100", check });
    return answered(typed, (amount) => ({ ...soFar, amount }));
  };
}

const BLOCKS_A_DAY = 28_800n;
const LOCKS = [0n, BLOCKS_A_DAY, 3n * BLOCKS_A_DAY, 14n * BLOCKS_A_DAY];

async function askLock(
  soFar: StakeAnswers,
  where: Parameters<Ask<StakeAnswers>>[1],
): Promise<StepResult<StakeAnswers>> {
  const items = LOCKS.map((blocks) => ({
    label: blocks === 0n ? "Whenever I want" : `Not before ${roughly(Number(blocks) * BLOCK_INTERVAL_MS)} have passed`,
    description: blocks === 0n ? "not locked" : counted(blocks, "block"),
    value: blocks,
  }));
  const picked = await pickValue(where, { placeholder: "When may it be taken back?", items });
  return answered(picked, (lockPeriod) => ({ ...soFar, lockPeriod }));
}

function answered<T, A>(result: StepResult<T>, add: (value: T) => A): StepResult<A> {
  return result.kind === "value" ? { kind: "value", value: add(result.value) } : result;
}
