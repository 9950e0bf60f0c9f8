import type { Finding } from "../../core/gateway/access/finding.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";

/** A line of a list, in words and codicons. */
export interface ShownLine {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

export function describeNetwork(network: NetworkProfile, active: string | undefined): ShownLine {
  const facts = [
    ...(network.name === active ? ["active"] : []),
    ...(network.production ? ["real money"] : []),
    ...(network.jwt ? ["JWT"] : []),
  ];
  return {
    label: `$(${network.local ? "beaker" : "broadcast"}) ${network.name}`,
    description: facts.join(" · "),
    detail: network.baseUrl,
  };
}

const FINDING_ICONS = { ok: "pass", warning: "warning", failed: "error" } as const;

export function describeFinding({ status, sentence, nextStep }: Finding): ShownLine {
  return {
    label: `$(${FINDING_ICONS[status]}) ${sentence}`,
    ...(nextStep === undefined ? {} : { detail: nextStep }),
  };
}

/** The answer before the details: whether this network can be used. */
export function summarizeFindings(network: string, findings: readonly Finding[]): string {
  if (findings.some(({ status }) => status === "failed")) return `${network} cannot be used yet`;
  return findings.some(({ status }) => status === "warning") ? `${network} works, with a warning` : `${network} works`;
}

/** A field of a profile that can be edited, and how it stands. */
export interface EditableField extends ShownLine {
  readonly field: EditableFieldName;
}

export type EditableFieldName = Exclude<keyof NetworkProfile, "name" | "local">;

/** All fields but the name, which the journal knows the network by. */
export function editableFields(network: NetworkProfile): readonly EditableField[] {
  const line = (field: EditableFieldName, label: string, value: string | undefined): EditableField => ({
    field,
    label,
    description: value === undefined || value === "" ? "not set" : value,
  });
  const onOff = (value: boolean): string => (value ? "on" : "off");
  return [
    line("baseUrl", "URL", network.baseUrl),
    line("solidityBaseUrl", "URL of solidified data", network.solidityBaseUrl),
    line("fallbackUrls", "Other URLs for reads", network.fallbackUrls.join(" ")),
    line("jwt", "JWT", onOff(network.jwt)),
    line("audience", "JWT audience", network.audience),
    line("keyId", "JWT key ID (kid)", network.keyId),
    line("apiKeyHeader", "Header of the API key", network.apiKeyHeader),
    line("production", "Real money", onOff(network.production)),
    line("explorerUrl", "Block explorer", network.explorerUrl),
  ];
}
