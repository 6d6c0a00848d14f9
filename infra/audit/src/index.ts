export { checkRunningBooks, lookAtBooks } from './book-checks.ts';
export {
  type Connection,
  databasesOn,
  type Evidence,
  type Finding,
  openEvidence,
  sayFinding,
} from './evidence.ts';
export { connectProcessor, processorCheck } from './processor-check.ts';
