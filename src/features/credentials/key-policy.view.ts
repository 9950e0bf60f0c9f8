import type { KeyPolicy } from "@finality/client/keys";
import { coinsText } from "@finality/tron/format";
import { t } from "@vscode/l10n";

/** A policy in a few words. */
export function policyText(policy: KeyPolicy): string {
  switch (policy.kind) {
    case "always-ask":
      return t`asks before each signature`;
    case "retype-above":
      return t`asks before each signature, and twice above ${coinsText(policy.amount)}`;
    case "never-real":
      return t`signs on local chains alone`;
  }
}
