export { checkRunningBooks, lookAtBooks } from './book-checks.ts';
export { type Connection, databasesOn, type Evidence, openEvidence } from './evidence.ts';
export { type Finding, sayFinding } from './finding.ts';
export { connectProcessor, processorCheck } from './processor-check.ts';
