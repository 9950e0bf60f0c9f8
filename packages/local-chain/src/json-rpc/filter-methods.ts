import type { Json } from "@finality/tron/primitives";
import { nullPointerException } from "../http/java-error.ts";
import type { View } from "../routes/route.ts";
import { checkRange, type LogFilter, matchingLogs, namesFinalized, printRpcLog, readLogFilter } from "./logs.ts";
import { invalidParams } from "./rpc-error.ts";
import { plain, type RpcContext, type RpcMethods } from "./rpc-method.ts";
import { text } from "./values.ts";

/** Logs, and filters that tell what is new. */
export const filterMethods: RpcMethods = {
  eth_getLogs: {
    parameters: 1,
    answer: ({ view }, [input]) => {
      const filter = readLogFilter(view, input);
      checkRange(view, filter);
      return printed(view, filter);
    },
  },
  eth_newFilter: { parameters: 1, answer: newFilter },
  eth_newBlockFilter: plain(({ view, filters }) => filters.add(view)),
  eth_getFilterChanges: {
    parameters: 1,
    answer: ({ view, filters }, [id]) => filters.changes(view, filterId(id)),
  },
  eth_getFilterLogs: {
    parameters: 1,
    answer: ({ view, filters }, [id]) => printed(view, filters.logs(filterId(id))),
  },
  eth_uninstallFilter: {
    parameters: 1,
    answer: ({ filters }, [id]) => {
      filters.remove(filterId(id));
      return true;
    },
  },
};

/** @throws {JavaError | Unreadable} */
function filterId(id: Json | undefined): string {
  const read = text(id);
  if (read !== undefined) return read;
  throw nullPointerException('Cannot invoke "String.startsWith(String)" because "<parameter1>" is null');
}

function newFilter({ view, filters }: RpcContext, [input]: readonly Json[]): Json {
  if (namesFinalized(input)) throw invalidParams("invalid block range params");
  return filters.add(view, readLogFilter(view, input));
}

function printed(view: View, filter: LogFilter): Json {
  return matchingLogs(view, filter).map((it) => printRpcLog(it));
}
