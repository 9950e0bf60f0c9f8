import type { Json } from "../../core/primitives/json.ts";
import type { View } from "../routes/route.ts";
import { checkRange, type LogFilter, matchingLogs, namesFinalized, readLogFilter } from "./log-filter.ts";
import { printRpcLog } from "./log-json.ts";
import { text } from "./parameters.ts";
import { invalidParams } from "./rpc-error.ts";
import { plain, type RpcContext, type RpcMethods } from "./rpc-method.ts";

/** Logs, and filters that tell what is new. */
export const filterMethods: RpcMethods = {
  eth_getLogs: {
    parameters: 1,
    answer: ({ view }, [given]) => {
      const filter = readLogFilter(view, given);
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

function newFilter({ view, filters }: RpcContext, [given]: readonly Json[]): Json {
  if (namesFinalized(given)) throw invalidParams("invalid block range params");
  return filters.add(view, readLogFilter(view, given));
}

function printed(view: View, filter: LogFilter): Json {
  return matchingLogs(view, filter).map((it) => printRpcLog(it));
}
