import type { WantedCall } from "../../core/call-sites/call-site.ts";

/**
 * A written call as the command *Call Contract…* takes it: what the source does not say is left out, and asked there.
 */
export function sendArguments(wanted: WantedCall) {
  const { method, arguments: inputs, network, label, caller, feeLimit, callValue, tokenId, tokenValue } = wanted;
  return {
    network,
    label,
    contract: contractText(wanted),
    function: method,
    arguments: inputs?.every(({ value }) => value !== undefined) ? inputs.map(({ value }) => toJson(value)) : undefined,
    from: text(caller?.value),
    feeLimit: text(feeLimit?.value),
    callValue: text(callValue?.value),
    tokenId: text(tokenId?.value),
    tokenValue: text(tokenValue?.value),
  };
}

function contractText({ contract }: WantedCall): string | undefined {
  switch (contract.kind) {
    case "named":
      return contract.name;
    case "address":
      return text(contract.address.value);
    case "variable":
      return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "bigint" || typeof value === "string" ? String(value) : undefined;
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, it: unknown) => (typeof it === "bigint" ? it.toString() : it)));
}
