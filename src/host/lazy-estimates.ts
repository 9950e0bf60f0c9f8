/** Simulation and labels of call estimates. A lazy bundle, because it contains protobuf and failure texts. */
export { measureCall, priceCall } from "@finality/client/estimates";
export { estimateLabels } from "@finality/client/labels";
