import { expect } from '@jest/globals';
import { eventually } from '@tds/test-kit';

/** Statements on the database of the service. */
type Database = { sql<Row>(text: string, ...values: unknown[]): Promise<Row[]> };

/** Brings a schedule forward; not a run that is under way already. Resolves when that run has ended well. */
export const runSchedule = async ({ sql }: Database, name: string): Promise<void> => {
  const bringForward = `
    UPDATE messaging.schedules SET due_at = now(), finished_at = NULL
    WHERE name = $1 AND lease_until IS NULL RETURNING name`;
  await eventually(async () => expect(await sql(bringForward, name)).toHaveLength(1));
  const ended = 'SELECT last_error FROM messaging.schedules WHERE name = $1 AND finished_at IS NOT NULL';
  await eventually(async () => expect(await sql(ended, name)).toEqual([{ last_error: null }]));
};
