import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '@tds/audit';
import { checkCrossing } from './crossing.ts';

const counting = (count: (sql: string) => number): Evidence =>
  ({ rows: async (_service: string, sql: string) => [{ count: count(sql) }] }) as unknown as Evidence;

describe("the check of a month's end", () => {
  it('finds nothing if both sides of it were used', async () => {
    expect(
      await checkCrossing(
        counting(() => 1),
        '2026-12-31',
      ),
    ).toEqual([]);
  });

  it('finds a run that ended before the month did', async () => {
    const findings = await checkCrossing(
      counting(() => 0),
      '2026-12-31',
    );
    expect(new Set(findings.map(({ subject }) => subject))).toEqual(new Set(['the end of 2026-12-31']));
  });

  it('finds a month in which nothing was charged that an earlier one had reserved', async () => {
    const findings = await checkCrossing(
      counting((sql) => (sql.includes('ref_month') ? 0 : 1)),
      '2026-12-31',
    );
    expect(findings.map(({ what }) => what)).toEqual([
      'reservations of the old month that were charged in the new one',
    ]);
  });
});
