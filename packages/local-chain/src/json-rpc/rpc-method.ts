import type { Json } from "@finality/tron/primitives";
import type { NodeView } from "../node/node-view.ts";
import type { Filters } from "./logs.ts";

/** Context of a method call. */
export interface RpcContext {
  readonly view: NodeView;
  readonly filters: Filters;
  /** True if requests may be as other development nodes accept them. */
  readonly isLenient: boolean;
}

/** A method: exact number of parameters, and implementation. */
export interface RpcMethod {
  readonly parameters: number;
  /** @throws {RpcError | JavaError | Unreadable} */
  readonly answer: (context: RpcContext, parameters: readonly Json[]) => Json;
}

/** Methods by name. */
export type RpcMethods = { readonly [name: string]: RpcMethod };

/** Creates a method without parameters. */
export function withoutParameters(answer: (context: RpcContext) => Json): RpcMethod {
  return { parameters: 0, answer };
}
