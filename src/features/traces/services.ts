import type { ContractRun, HttpGateway, NetworkProfile } from "@finality/client/gateway";
import type { NameOf } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import type * as vscode from "vscode";
import type { Artifacts, NamesOnDemand } from "../../host/artifacts/artifacts.ts";
import type { OwnClicks, RegisterCommand } from "../../host/commands/commands.ts";
import type { FailureRecords } from "../../host/local-chain/failure-records.ts";
import type { Log } from "../../host/log/log.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

/** Call that is not sent, with the name of its network. */
interface TracedCall {
  readonly run: ContractRun;
  readonly network: string;
}

/** Traces of calls, for other features. */
export interface CallTraces {
  /** Shows the trace of a call. @throws {ChainError} `TRACE_UNAVAILABLE`, `LOCAL_CHAIN_STOPPED` */
  traceCall(call: TracedCall): Promise<object | undefined>;
  /** Returns the source line where a call reverts, and a link to it; undefined if it is not known. */
  thrownSite(call: TracedCall): Promise<{ readonly label: string; readonly link: string | undefined } | undefined>;
}

/** Services that traces need from the rest of the extension. */
export interface TraceServices {
  readonly registerCommand: RegisterCommand;
  readonly extensionUri: vscode.Uri;
  readonly clicks: OwnClicks;
  readonly transactions: TransactionService;
  readonly networks: Pick<Networks, "find" | "active" | "list">;
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly failureRecords: () => Promise<FailureRecords>;
  readonly artifacts: Artifacts;
  readonly names: NamesOnDemand;
  readonly nameOf: NameOf;
  readonly log: Pick<Log, "error">;
  /** Returns the focused transaction of the list, or the selected ones if it is one of them. */
  readonly focused: () => Promise<readonly TxId[]>;
  /** Masks the secrets in a text. */
  readonly masked: (text: string) => string;
}
