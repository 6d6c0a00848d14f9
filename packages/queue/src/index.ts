export { countOverdue, type Due, type DueOutcome, defineQueue } from './define-queue.ts';
export { drainDue } from './drain-due.ts';
export { FREE_FROM, takeLease } from './leases.ts';
export { createTurns } from './turns.ts';
