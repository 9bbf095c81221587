export { type CommandOracleOptions, commandOracle } from "./command-oracle.ts";
