export { type EventWatch, eventKey, type FoundEvent, type WatchedEvent } from "./events/event-entry.ts";
export {
  EVERY_EVENT,
  type EventArgument,
  type EventFilter,
  type FilterResult,
  filterOf,
  matchesFilter,
} from "./events/event-filter.ts";
