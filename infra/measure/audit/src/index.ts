export { auditBooks, checkRunningBooks } from './book-checks.ts';
export {
  type Connection,
  databasesOn,
  type Evidence,
  type Finding,
  formatFinding,
  openEvidence,
} from './evidence.ts';
export { connectProcessor, processorCheck } from './processor-check.ts';
