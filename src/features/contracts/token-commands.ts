import { describeTokenUse, tokenUseData, tokenUseLabel } from "@finality/client/reviews";
import { parseTokenAmount, tokenBalance } from "@finality/client/tokens";
import { isChainError } from "@finality/tron/errors";
import { formatTokenAmount, shortAddress } from "@finality/tron/format";
import { type Address, defined, nameText, rawText, sun, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { isUnattended } from "../../host/caller.ts";
import { type CommandArguments, readAs } from "../../host/commands/command-arguments.ts";
import { notify, whileWorking } from "../../host/prompts/notify.ts";
import { type Ask, askSteps } from "../../host/prompts/quick-input.ts";
import { lookalikesHere } from "../../sending/addresses-here.ts";
import { tokenAt } from "../../sending/token-at.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { partyNamed, signerNamed } from "./contract-arguments.ts";
import { addressOf, contractAt } from "./known-contracts.ts";
import { askParty, askSigner, askToken, askTokenAmount, type TokenFields } from "./prompts.ts";
import { sendCode } from "./send-code.ts";
import { type ContractContext, type ContractServices, contextOn, signingContextOn } from "./services.ts";

type Sending = CommandArguments["finality.transferTokens"] | CommandArguments["finality.approveTokens"];

/** Differences between the transfer and the approval command. */
interface TokenAction {
  readonly title: string;
  /** Name of the argument for the other account. */
  readonly argument: "to" | "spender";
  readonly question: string;
  readonly kind: "transfer" | "approval";
}

const TRANSFER: TokenAction = {
  title: t`Transfer Tokens`,
  argument: "to",
  question: t`Recipient? Choose an account or paste an address`,
  kind: "transfer",
};
const APPROVE: TokenAction = {
  title: t`Approve Tokens`,
  argument: "spender",
  question: t`Spender? Choose a contract or paste an address`,
  kind: "approval",
};

/** Transfers tokens. Returns undefined if the user cancels. */
export function transferTokens(
  services: ContractServices,
  fields: CommandArguments["finality.transferTokens"],
): Promise<SentTransaction | undefined> {
  return act(services, fields, TRANSFER, fields.to);
}

/** Approves a spender. Returns undefined if the user cancels. */
export function approveTokens(
  services: ContractServices,
  fields: CommandArguments["finality.approveTokens"],
): Promise<SentTransaction | undefined> {
  return act(services, fields, APPROVE, fields.spender);
}

/** Balance of a token that an account holds. */
export interface TokenBalance {
  /** base58. */
  readonly token: string;
  readonly account: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** In the smallest unit, and formatted. */
  readonly balance: string;
  readonly formatted: string;
}

/** Reads a token balance. Returns undefined if the user cancels. */
export async function showTokenBalance(
  services: ContractServices,
  fields: CommandArguments["finality.tokenBalance"],
): Promise<TokenBalance | undefined> {
  const context = await contextOn(services, fields.network);
  const known: TokenFields = {
    ...(fields.token === undefined ? {} : { token: await tokenAt(context, await addressOf(context, fields.token)) }),
    ...(fields.account === undefined ? {} : { party: partyNamed(context, "account", fields.account) }),
  };
  const steps: readonly Ask<TokenFields>[] = [
    ...(known.token === undefined ? [askToken(context)] : []),
    ...(known.party === undefined ? [askParty(context, t`Balance of which account?`)] : []),
  ];
  const { token, party } = (await askSteps(t`Token Balance`, known, steps)) ?? {};
  if (token === undefined || party === undefined) return undefined;
  const balance = await whileWorking(t`Reading the balance`, (signal) =>
    tokenBalance(context.gateway, token.address, party, signal),
  );
  const formatted = formatTokenAmount(balance, token);
  if (!isUnattended(steps.length === 0))
    await notify("information", t`${shortAddress(party, context.nameOf)} has ${formatted} (${nameText(token.name)}).`);
  const { name, symbol, decimals } = token;
  return {
    token: toBase58(token.address),
    account: toBase58(party),
    name: rawText(name),
    symbol: rawText(symbol),
    decimals,
    balance: balance.toString(),
    formatted,
  };
}

async function act(
  services: ContractServices,
  fields: Sending,
  action: TokenAction,
  other: string | undefined,
): Promise<SentTransaction | undefined> {
  const context = await signingContextOn(services, fields);
  const known = await knownAnswers(context, fields, action, other);
  const steps: readonly Ask<TokenFields>[] = [
    ...(known.token === undefined ? [askToken(context)] : []),
    ...(known.party === undefined ? [askParty(context, action.question)] : []),
    ...(known.amount === undefined ? [askTokenAmount] : []),
    ...(known.from === undefined ? [askSigner<TokenFields>(context)] : []),
  ];
  const answers = await askSteps(action.title, known, steps);
  if (answers === undefined) return undefined;
  const unattended = isUnattended(steps.length === 0);
  return await send(context, fields, action, { ...(answers as Required<TokenFields>), unattended });
}

/** A predefined amount depends on the decimals, so it applies to its own token only. */
async function knownAnswers(
  context: ContractContext,
  fields: Sending,
  { argument }: TokenAction,
  other: string | undefined,
): Promise<TokenFields> {
  const token = fields.token === undefined ? undefined : await tokenAt(context, await addressOf(context, fields.token));
  const amount =
    token === undefined || fields.amount === undefined
      ? undefined
      : readAs("amount", fields.amount, (text) => parseTokenAmount(text, token));
  return {
    ...defined({ token }),
    ...(other === undefined ? {} : { party: await partyOrContract(context, argument, other) }),
    ...defined({ amount }),
    ...(fields.from === undefined ? {} : { from: signerNamed(context, fields.from) }),
  };
}

/** A spender is often a contract, so contract names are accepted too. */
async function partyOrContract(context: ContractContext, argument: string, text: string): Promise<Address> {
  const isName = /^[A-Za-z_$][\w$]{0,30}$/.test(text) && context.services.keys.addressOf(text) === undefined;
  return isName ? await addressOf(context, text) : partyNamed(context, argument, text);
}

async function send(
  context: ContractContext,
  fields: Sending,
  action: TokenAction,
  { token, party, amount, from, unattended }: Required<TokenFields> & { readonly unattended: boolean },
): Promise<SentTransaction | undefined> {
  const { kind } = action;
  const { services, network, nameOf } = context;
  const errors = await contractAt(context, token.address)
    .then(({ abi }) => ({ abi }))
    .catch(unlessLeft);
  const use = { kind, token, party, amount, nameOf };
  return await sendCode(context, {
    ...describeTokenUse({ ...use, lookalikes: lookalikesHere(services, network, party) }),
    intent: {
      kind: "contract-call",
      owner: from,
      contract: token.address,
      data: tokenUseData(use),
      callValue: sun(0n),
      feeLimit: sun(0n),
    },
    ...errors,
    mutability: "nonpayable",
    fields: { label: tokenUseLabel(use), ...fields },
    unattended,
  });
}

/** Without the ABI only the names of its errors are missing. */
function unlessLeft(error: unknown): Record<never, never> {
  if (isChainError(error)) return {};
  throw error;
}
