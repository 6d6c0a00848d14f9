export { auditBooks, checkRunningBooks } from './checks/book-checks.ts';
export {
  type Connection,
  databasesOn,
  type Evidence,
  type Finding,
  formatFinding,
  openEvidence,
  openPool,
} from './checks/evidence.ts';
export { connectProcessor, processorCheck } from './checks/processor-check.ts';
