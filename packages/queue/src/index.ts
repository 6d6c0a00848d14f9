export { countOverdue, type Due, type DueOutcome, drainDue, dueRows } from './due-rows.ts';
export { createTurns } from './turns.ts';
