import type { DeployedContract } from "@finality/client/gateway";
import { bothUnits, coinsText, counted, formatTokenAmount, grouped, percent } from "@finality/tron/format";
import { foreignText, sun, toBase58, visibleLine } from "@finality/tron/primitives";
import type { IntentOf } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { quoted } from "./reviews.ts";
import { receiverText, type SystemFacts, type SystemWords } from "./system-words.ts";

const DAY_MS = 86_400_000;

export function rewardWords({ reward, owner, symbol, headTimestamp, timeOf }: SystemFacts): SystemWords {
  const known = reward ?? sun(0n);
  const last = owner.account?.rewardWithdrawnAt ?? 0;
  const early = last > 0 && headTimestamp - last < DAY_MS;
  return {
    action: t`Withdraw ${coinsText(known, symbol)} of reward`,
    lines: [
      t`Withdraws: ${bothUnits(known, symbol)} that votes have earned until now; what comes until the block is added`,
      t`Next time: the chain allows it once in 24 hours`,
    ],
    effect: t`${coinsText(known, symbol)} waiting`,
    doubts: [
      ...(known > 0n ? [] : [t`No reward is waiting.`]),
      ...(early ? [t`The chain allows it once in 24 hours: next at ${timeOf(last + DAY_MS)} by its time.`] : []),
    ],
  };
}

/** What the issuer calls it is a claim: its number stands first. */
export function trc10Words({ tokenId, amount }: IntentOf<"token-transfer">, facts: SystemFacts): SystemWords {
  const { token, owner, receiver } = facts;
  const has = owner.account?.trc10?.get(tokenId) ?? 0n;
  const shown = token === undefined ? "" : t` = ${formatTokenAmount(amount, token)} as its issuer counts`;
  const left = t`${grouped(has)} units on this account`;
  return {
    action: t`Send ${grouped(amount)} units of token ${tokenId}`,
    lines: [
      t`Token: ${tokenId}${token === undefined ? "" : t`, calls itself ${quoted(token.name)}`}`,
      t`Amount: ${grouped(amount)} units${shown}`,
      t`To: ${receiverText(facts)}`,
      ...(receiver?.account === undefined ? [t`Creates: the account of the receiver`] : []),
    ],
    effect: left,
    doubts: [
      ...(token === undefined ? [t`No token has the number ${tokenId}.`] : []),
      ...(amount > has ? [t`There are ${left}.`] : []),
    ],
  };
}

export function creationWords(facts: SystemFacts): SystemWords {
  return {
    action: t`Create an account`,
    lines: [t`Creates: ${receiverText(facts)}`, t`It begins without coins; its own key alone decides over it`],
    effect: t`a new account`,
    doubts: facts.receiver?.account === undefined ? [] : [t`This account is there already.`],
  };
}

/** UpdateAccountActuator. */
const MAX_NAME_BYTES = 200;

export function nameWords({ name }: IntentOf<"account-name">): SystemWords {
  const bytes = Buffer.byteLength(name);
  return {
    action: t`Name the account on the chain`,
    lines: [
      t`Name: ${visibleLine(name)}`,
      t`Everybody can read it; most chains let an account choose it once and for ever`,
    ],
    effect: counted(bytes, t`byte`, t`bytes`),
    doubts:
      bytes > MAX_NAME_BYTES ? [t`The chain takes at most ${MAX_NAME_BYTES} bytes, and this name has ${bytes}.`] : [],
  };
}

type ContractSetting = IntentOf<"contract-share" | "contract-limit" | "contract-abi-removal">;

export function contractWords(intent: ContractSetting, { contract }: SystemFacts): SystemWords {
  const named =
    contract === undefined || contract.name === "" ? "" : t`, calls itself ${quoted(foreignText(contract.name))}`;
  const { action, lines } = settingWords(intent, contract);
  return {
    action,
    lines: [t`Contract: ${toBase58(intent.contract)}${named}`, ...lines],
    effect: lines[0] ?? "",
    doubts: [
      ...(contract === undefined ? [t`There is no contract at this address.`] : []),
      ...(contract !== undefined && contract.owner !== intent.owner
        ? [t`Only ${toBase58(contract.owner)}, who deployed it, may change it.`]
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
        action: t`Let callers pay ${percent(intent.userPercent)} of the energy`,
        lines: [
          t`Callers pay: ${from(contract && percent(contract.callerPercent))}${percent(intent.userPercent)} of the energy of a call`,
          t`You pay: up to ${percent(100n - intent.userPercent)} of it, out of your staked energy alone and within the contract's energy limit`,
        ],
      };
    case "contract-limit":
      return {
        action: t`Pay up to ${grouped(intent.originEnergyLimit)} energy for a call`,
        lines: [
          t`You pay at most: ${from(contract && grouped(contract.ownerEnergyLimit))}${grouped(intent.originEnergyLimit)} energy for one call`,
          t`Callers pay what is beyond it`,
        ],
      };
    case "contract-abi-removal":
      return {
        action: t`Clear the ABI`,
        lines: [
          t`Takes away: the names of functions and events that the chain tells everybody, for ever; the code goes on as it is`,
          t`Tools that read the ABI from the chain cannot name its calls any more; keep the artifact`,
        ],
      };
  }
}
