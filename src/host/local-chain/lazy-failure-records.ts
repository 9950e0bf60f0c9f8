import type { HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type { TxId } from "@finality/tron/primitives";
import { lazy } from "../async.ts";
import type { Log } from "../log/log.ts";
import { read } from "../settings/settings.ts";
import type { FailureRecords } from "./failure-records.ts";

/** Records of failed calls. They are loaded on first use. */
export interface FailureRecordsOnDemand {
  (): Promise<FailureRecords>;
  /** Records in the background what a call on another network reads, if the setting says so. */
  record(network: NetworkProfile, transaction: { readonly txId: TxId; readonly rawDataHex: string }): void;
}

/** @param folder - the folder of the journal */
export function failureRecordsOnDemand(services: {
  readonly program: string;
  readonly folder: string;
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly masked: (text: string) => string;
  readonly log: Pick<Log, "info" | "warn" | "error">;
}): FailureRecordsOnDemand {
  const open = lazy(async () => new (await import("./failure-records.ts")).FailureRecords(services));
  const record: FailureRecordsOnDemand["record"] = (network, transaction) => {
    if (network.local || read("finality.transaction.recordState") !== true) return;
    const report = (error: unknown): void => services.log.error("The state of a call was not recorded.", error);
    open()
      .then((records) => records.record(network, transaction))
      .catch(report);
  };
  return Object.assign(async () => await open(), { record });
}
