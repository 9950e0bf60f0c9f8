import type { Json } from "../../core/primitives/json.ts";
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
    answer: ({ view, filters }, [id]) => filters.changes(view, text(id) ?? ""),
  },
  eth_getFilterLogs: {
    parameters: 1,
    answer: ({ view, filters }, [id]) => printed(view, filters.logs(text(id) ?? "")),
  },
  eth_uninstallFilter: {
    parameters: 1,
    answer: ({ filters }, [id]) => {
      filters.remove(text(id) ?? "");
      return true;
    },
  },
};

function newFilter({ view, filters }: RpcContext, [input]: readonly Json[]): Json {
  if (namesFinalized(input)) throw invalidParams("invalid block range params");
  return filters.add(view, readLogFilter(view, input));
}

function printed(view: View, filter: LogFilter): Json {
  return matchingLogs(view, filter).map((it) => printRpcLog(it));
}
