import { ChainError } from "../../core/errors/chain-error.ts";
import { toBase58 } from "../../core/primitives/address.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import type { Answers } from "./answers.ts";
import type { EnergyServices } from "./services.ts";
import { CALLER_KEY } from "./workspace-context.ts";

/** Who calls where a source names nobody; remembered in the workspace. @returns `undefined` when the person left */
export async function chooseCaller(
  { keys, networks }: Pick<EnergyServices, "keys" | "networks">,
  answers: Answers,
  named: string | undefined,
): Promise<{ readonly account: string } | undefined> {
  const accounts = keys.listOn(networks.active);
  if (accounts.length === 0)
    throw refused("there is no account; generate or import a signing key, or start the local chain");
  const now = answers.get(CALLER_KEY) ?? accounts[0]?.label;
  const items = accounts.map(({ label, address }) => {
    const mark = label === now ? "$(check) " : "";
    return { label: `${mark}${label}`, name: label, description: toBase58(address) };
  });
  const options = { title: "Caller of Estimates", placeHolder: "Who calls where the source names nobody?" };
  const picked =
    named === undefined
      ? await quickPick(items, { ...options, matchOnDescription: true })
      : items.find(({ name, description }) => name === named || description === named);
  if (picked === undefined && named !== undefined) throw refused(`no account is called "${named}"`);
  if (picked === undefined) return undefined;
  await answers.set(CALLER_KEY, picked.name);
  return { account: picked.name };
}

function refused(reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "account", reason });
}
