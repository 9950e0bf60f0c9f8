import type { Json } from "@finality/tron/primitives";
import type { View } from "../node/node-view.ts";
import type { Filters } from "./logs.ts";

/** What a method answers from. */
export interface RpcContext {
  readonly view: View;
  readonly filters: Filters;
}

/** One method: how many parameters it takes, no more and no fewer, and what it answers. */
export interface RpcMethod {
  readonly parameters: number;
  /** @throws {RpcError | JavaError | Unreadable} */
  readonly answer: (context: RpcContext, parameters: readonly Json[]) => Json;
}

/** Methods by their names. */
export type RpcMethods = { readonly [name: string]: RpcMethod };

/** A method without parameters. */
export function plain(answer: (context: RpcContext) => Json): RpcMethod {
  return { parameters: 0, answer };
}
