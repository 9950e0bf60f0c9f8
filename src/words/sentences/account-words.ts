import type { DeployedContract } from "../../core/gateway/gateway.ts";
import { toBase58 } from "../../core/primitives/address.ts";
import { sun } from "../../core/primitives/amount.ts";
import { foreignText, visibleLine } from "../../core/primitives/plain-text.ts";
import type { IntentOf } from "../../core/transaction/intent.ts";
import { bothUnits, coinsText, formatTokenAmount } from "../forms/coins.ts";
import { counted, grouped, percent } from "../forms/numbers.ts";
import { quoted } from "./reviews.ts";
import { receiverText, type SystemFacts, type SystemWords } from "./system-words.ts";

const DAY_MS = 86_400_000;

export function rewardWords({ reward, owner, headTimestamp, timeOf }: SystemFacts): SystemWords {
  const known = reward ?? sun(0n);
  const last = owner.account?.rewardWithdrawnAt ?? 0;
  const early = last > 0 && headTimestamp - last < DAY_MS;
  return {
    action: `Withdraw ${coinsText(known)} of reward`,
    lines: [
      `Withdraws: ${bothUnits(known)} that votes have earned until now; what comes until the block is added`,
      "Next time: the chain allows it once in 24 hours",
    ],
    effect: `${coinsText(known)} are waiting`,
    doubts: [
      ...(known > 0n ? [] : ["No reward is waiting."]),
      ...(early ? [`The chain allows it once in 24 hours: next at ${timeOf(last + DAY_MS)} by its time.`] : []),
    ],
  };
}

/** What the issuer calls it is a claim: its number stands first. */
export function trc10Words({ tokenId, amount }: IntentOf<"token-transfer">, facts: SystemFacts): SystemWords {
  const { token, owner, receiver } = facts;
  const has = owner.account?.trc10?.get(tokenId) ?? 0n;
  const shown = token === undefined ? "" : ` = ${formatTokenAmount(amount, token)} as its issuer counts`;
  const left = `${grouped(has)} units on this account`;
  return {
    action: `Send ${grouped(amount)} units of token ${tokenId}`,
    lines: [
      `Token: ${tokenId}${token === undefined ? "" : `, calls itself ${quoted(token.name)}`}`,
      `Amount: ${grouped(amount)} units${shown}`,
      `To: ${receiverText(facts)}`,
      ...(receiver?.account === undefined ? ["Creates: the account of the receiver"] : []),
    ],
    effect: left,
    doubts: [
      ...(token === undefined ? [`No token has the number ${tokenId}.`] : []),
      ...(amount > has ? [`There are ${left}.`] : []),
    ],
  };
}

export function creationWords(facts: SystemFacts): SystemWords {
  return {
    action: "Create an account",
    lines: [`Creates: ${receiverText(facts)}`, "It begins without coins; its own key alone decides over it"],
    effect: "a new account",
    doubts: facts.receiver?.account === undefined ? [] : ["This account is there already."],
  };
}

/** UpdateAccountActuator. */
const MAX_NAME_BYTES = 200;

export function nameWords({ name }: IntentOf<"account-name">): SystemWords {
  const bytes = Buffer.byteLength(name);
  return {
    action: "Name the account on the chain",
    lines: [
      `Name: ${visibleLine(name)}`,
      "Everybody can read it; most chains let an account choose it once and for ever",
    ],
    effect: counted(bytes, "byte"),
    doubts:
      bytes > MAX_NAME_BYTES ? [`The chain takes at most ${MAX_NAME_BYTES} bytes, and this name has ${bytes}.`] : [],
  };
}

type ContractSetting = IntentOf<"contract-share" | "contract-limit" | "contract-abi-removal">;

export function contractWords(intent: ContractSetting, { contract }: SystemFacts): SystemWords {
  const named =
    contract === undefined || contract.name === "" ? "" : `, calls itself ${quoted(foreignText(contract.name))}`;
  const { action, lines } = settingWords(intent, contract);
  return {
    action,
    lines: [`Contract: ${toBase58(intent.contract)}${named}`, ...lines],
    effect: lines[0] ?? "",
    doubts: [
      ...(contract === undefined ? ["There is no contract at this address."] : []),
      ...(contract !== undefined && contract.owner !== intent.owner
        ? [`Only ${toBase58(contract.owner)}, who deployed it, may change it.`]
        : []),
    ],
  };
}

function settingWords(
  intent: ContractSetting,
  contract: DeployedContract | undefined,
): Pick<SystemWords, "action" | "lines"> {
  const from = (now: string | undefined): string => (now === undefined ? "" : `${now} → `);
  switch (intent.kind) {
    case "contract-share":
      return {
        action: `Let callers pay ${percent(intent.userPercent)} of the energy`,
        lines: [
          `Callers pay: ${from(contract && percent(contract.callerPercent))}${percent(intent.userPercent)} of the energy of a call`,
          `You pay: up to ${percent(100n - intent.userPercent)} of it, out of your staked energy alone and within the contract's energy limit`,
        ],
      };
    case "contract-limit":
      return {
        action: `Pay up to ${grouped(intent.originEnergyLimit)} energy for a call`,
        lines: [
          `You pay at most: ${from(contract && grouped(contract.ownerEnergyLimit))}${grouped(intent.originEnergyLimit)} energy for one call`,
          "Callers pay what is beyond it",
        ],
      };
    case "contract-abi-removal":
      return {
        action: "Clear the ABI",
        lines: [
          "Takes away: the names of functions and events that the chain tells everybody, for ever; the code goes on as it is",
          "Tools that read the ABI from the chain cannot name its calls any more; keep the artifact",
        ],
      };
  }
}
