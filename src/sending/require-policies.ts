import { coinSymbolOf, type NetworkProfile } from "@finality/client/gateway";
import { applyPolicy, type PolicyDecision, policyFromJson } from "@finality/client/keys";
import { ChainError } from "@finality/tron/errors";
import { coinsText, formatCoins } from "@finality/tron/format";
import { type Address, type Sun, toBase58 } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { inputBox } from "../host/prompts/quick-input.ts";
import type { SigningKeys } from "../host/secrets/signing-keys.ts";

export interface PolicyServices {
  readonly keys: Pick<SigningKeys, "find">;
  readonly network: Pick<NetworkProfile, "name" | "local" | "baseUrl">;
  /** @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`, `GATEWAY_UNREACHABLE` */
  readonly prove: () => Promise<void>;
}

/**
 * Checks the policies of all signing keys, right before the first one is read.
 *
 * @throws {ChainError} `KEY_POLICY_REFUSED`; a network that says that it is the local chain and cannot prove it:
 *   `LOCAL_CHAIN_UNPROVEN`
 */
export async function requirePolicies(
  services: PolicyServices,
  signers: readonly Address[],
  intent: Intent,
): Promise<void> {
  const { keys, network, prove } = services;
  for (const address of signers) {
    const account = keys.find(address);
    const policy = policyFromJson(account?.policy);
    if (policy.kind === "always-ask") continue;
    if (network.local) await prove();
    const verdict = applyPolicy(policy, intent, { isLocal: network.local });
    if (verdict.kind === "refused") throw refused(address, neverReal(network.name));
    if (verdict.kind === "retype") {
      const symbol = coinSymbolOf(network.baseUrl);
      await requireRetyped(address, account?.label.trim() || toBase58(address), { ...verdict, symbol });
    }
  }
}

/** @throws {ChainError} `KEY_POLICY_REFUSED` it was not typed */
async function requireRetyped(
  address: Address,
  label: string,
  { coins, above, symbol }: Extract<PolicyDecision, { kind: "retype" }> & { readonly symbol: string | undefined },
): Promise<void> {
  const expected = coins === undefined ? label : formatCoins(coins);
  const isDone = (text: string): boolean => isRetyped(text.trim(), { coins, label });
  const why =
    coins === undefined
      ? t`What leaves cannot be told in coins, and this key asks twice above ${coinsText(above, symbol)}.`
      : t`Up to ${coinsText(coins, symbol)} leave, and this key asks twice above ${coinsText(above, symbol)}.`;
  const typed = await inputBox({
    title: t`Sign with ${label}?`,
    prompt: t`${why} Type ${expected} to sign.`,
    placeHolder: expected,
    ignoreFocusOut: true,
    validateInput: (text) => (text === "" || isDone(text) ? undefined : t`It is not yet ${expected}.`),
  });
  if (typed === undefined || !isDone(typed)) throw refused(address, notTyped(expected));
}

/** Compares a typed amount with or without separators, and a label exactly. */
function isRetyped(
  typed: string,
  { coins, label }: { readonly coins: Sun | undefined; readonly label: string },
): boolean {
  if (coins === undefined) return typed !== "" && typed === label;
  const shown = formatCoins(coins);
  return typed === shown || typed === shown.replaceAll(",", "");
}

function neverReal(network: string): string {
  return t`this key signs on local chains alone, and ${network} is none`;
}

function notTyped(expected: string): string {
  return t`this key asks twice, and ${expected} was not typed`;
}

function refused(address: Address, reason: string): ChainError {
  return new ChainError("KEY_POLICY_REFUSED", { address: toBase58(address), reason });
}
