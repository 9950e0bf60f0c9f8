import { t } from "@vscode/l10n";
import type { DecoderExample } from "../../webview-messages/decoder.ts";

/** Texts to try, one of each kind. */
export const EXAMPLES: readonly DecoderExample[] = [
  {
    label: t`A broadcast that was refused`,
    icon: "radio-tower",
    text: `{"code":"CONTRACT_VALIDATE_ERROR","txid":"b4f3c1d9a2e75608b1c4f07d3e92a6581fd0c7e49b835a6c2e1d70f4938ab5c6","message":"${hexOf(`Contract validate error : Validate TransferContract error, balance is not sufficient.`)}"}`,
  },
  {
    label: t`Revert data of a contract`,
    icon: "symbol-structure",
    text: `0xe450d38c${address("dd791d6b49e190062d650e6a23c575510d35f2f9")}${word(2_500_000n)}${word(10_000_000n)}`,
  },
  {
    label: t`A transaction that ran out of energy`,
    icon: "flame",
    text: `{"id":"5c21a0b7e84f93d2c6b10e7f4a98d35b2e6f70c1948da3b5e7f20c61d98b4a37","fee":18000000,"blockNumber":71204118,"blockTimeStamp":1763716800000,"contractResult":[""],"contract_address":"41a614f803b6fd780986a42c78ec9c7f77e6ded13c","receipt":{"energy_fee":18000000,"energy_usage_total":42857,"net_usage":345,"result":"OUT_OF_ENERGY"},"result":"FAILED","resMessage":"${hexOf(`Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[42857], curOpEnergy[20000], usedEnergy[34100]`)}"}`,
  },
  {
    label: t`A line of a log`,
    icon: "output",
    text: `2026-11-21T09:12:04.117Z ERROR [payout] broadcast failed: {"result":false,"code":"TAPOS_ERROR","message":"${hexOf(`Tapos check error.`)}"} (attempt 1 of 1)`,
  },
];

function hexOf(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

function address(hex: string): string {
  return hex.padStart(64, "0");
}
