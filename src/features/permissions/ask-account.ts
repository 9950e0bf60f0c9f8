import type { Address } from "../../core/primitives/address.ts";
import { pickParty } from "../../host/prompts/ask-account.ts";
import type { PermissionPlace } from "./services.ts";

/** An account of the list, or any address that is pasted. @returns undefined when the person left */
export async function askAccount(
  { accounts }: PermissionPlace,
  title: string,
  question: string,
): Promise<Address | undefined> {
  const place = { title, step: 1, totalSteps: 1 };
  const picked = await pickParty(place, `${question} Choose an account or paste an address`, accounts);
  return picked.kind === "value" ? picked.value : undefined;
}
