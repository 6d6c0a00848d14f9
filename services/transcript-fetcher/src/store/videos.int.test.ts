import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshVideo, openTables, type Tables } from '../test-support/tables.ts';
import { cachedAmong } from './transcripts.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

describe('what a fetch finds in the cache', () => {
  it('tells those that have a transcript in the order in which they were asked', async () => {
    const [one, other, none] = [freshVideo(), freshVideo(), freshVideo()];
    for (const video_id of [other, one]) await tables.add.transcript({ video_id });
    expect(await cachedAmong(tables.sql, [one, none, other, one])).toEqual([one, other, one]);
  });
});
