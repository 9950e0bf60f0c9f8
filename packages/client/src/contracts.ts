export { codeHashOf } from "./contracts/contract-code.ts";
export { type ContractProxy, type ProxyKind, resolveProxy } from "./contracts/proxy.ts";
