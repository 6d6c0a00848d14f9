import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTables, type Tables } from '../../test-support/tables.ts';
import { claimChargeReport } from './operations.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

describe('a charge', () => {
  it('is reported by one of many concurrent requests, and by that one again', async () => {
    const id = await tables.add.operation({
      ...{ state: 'delivered', charge: 1, transcript_id: await tables.add.transcript() },
    });
    const requests = Array.from({ length: 8 }, () => randomUUID());
    const claim = (request: string) => claimChargeReport(tables.sql, id, request);
    const claims = await Promise.all(requests.map(claim));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await Promise.all(requests.map(claim))).toEqual(claims);
  });

  it('of 0 is never reported', async () => {
    const free = await tables.add.operation({
      ...{ state: 'delivered', transcript_id: await tables.add.transcript() },
    });
    expect(await claimChargeReport(tables.sql, free, randomUUID())).toBe(false);
    expect(await claimChargeReport(tables.sql, randomUUID(), randomUUID())).toBe(false);
  });

  it('can be reported by a request with an id of its caller', async () => {
    const id = await tables.add.operation({
      ...{ state: 'delivered', charge: 1, transcript_id: await tables.add.transcript() },
    });
    for (const request of ['of a caller', 'of a caller'])
      expect(await claimChargeReport(tables.sql, id, request)).toBe(true);
    expect(await claimChargeReport(tables.sql, id, 'of another caller')).toBe(false);
  });
});
