/*
 * Terms
 * - row: work that waits in a table of its owner, ready from the moment in `due_at`
 * - claim: one statement that leases due rows to a worker and counts an attempt
 * - lease: until when a row belongs to its worker; then another one may claim it
 * - epoch: the number of the claim; a worker with an older one commits nothing (the fence)
 * - partition: what runs one task at a time, an account for example
 * - turn: one run of the loop: it saves what ended and claims more
 * - poll: the statement that finds when the first row of any table is due
 */
export { countOverdue, type Due, type DueOutcome, drainDue, dueRows } from './due-rows.ts';
export { createTurns } from './turns.ts';
