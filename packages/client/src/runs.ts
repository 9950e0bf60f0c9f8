export type { RunToken } from "./runs/run-cell.ts";
export {
  type CallRow,
  type CallsFile,
  type PaymentFile,
  type PaymentRow,
  type RunFile,
  type RunFileOptions,
  readRunFile,
} from "./runs/run-file.ts";
export type { RunColumn, RunRefusal, RunRefusalCode } from "./runs/run-table.ts";
