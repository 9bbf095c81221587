export {
  errorsOf,
  isContent,
  type Oracle,
  type OracleFailure,
  type OracleQuestion,
  type OracleVerdict,
  printVerdict,
} from "./oracle.ts";
export {
  type BlockAt,
  compareFindings,
  type FindingsDifference,
  findingKey,
} from "./oracles/compare-findings.ts";
export { type Finding, type FindingPlace, type FindingSeverity, finding, printFinding } from "./oracles/finding.ts";
export { locateFindings, type OracleGround } from "./oracles/locate-findings.ts";
export {
  detectOracleFormat,
  type OracleCommand,
  type OracleFormat,
  type OracleFormatName,
  oracleFormat,
  oracleFormatNames,
  parseOracleCommand,
} from "./oracles/oracle-format.ts";
export type { OracleReading, ReadOracle } from "./oracles/oracle-reading.ts";
