import { describe, expect, it } from '@jest/globals';
import { defineContract } from '@tds/contracts';
import { loadSurfaces, storedServiceNames } from '@tds/provisioning';
import { prismaDirsOf, readFunctions } from '@tds/servers';
import { z } from 'zod';
import { wrongSends } from './test-support/sql-messages.ts';

const contract = defineContract('search', {
  events: { sourceWalked: { payload: z.object({ id: z.string(), total: z.number().optional() }) } },
  tasks: {
    walkSource: { payload: z.object({}), leaseMs: 1, backoffMs: [], concurrency: 1, timeLimitMs: null },
  },
});
const wrong = (sql: string) => wrongSends({ contract }, sql);
const SUBJECT = 'evt.search.source-walked.v1';

describe('what an SQL function sends', () => {
  it.each([
    [`messaging.emit('${SUBJECT}', jsonb_build_object('id', f(a, b), 'total', 3))`, []],
    [`messaging.enqueue_once('walk-source', 'key', '{}')`, []],
    [`messaging.emit('evt.search.lost.v1', '{}')`, ['evt.search.lost.v1 is not in the contract of search']],
    [`messaging.enqueue_task('forget', '{}')`, ['forget is not in the contract of search']],
    [
      `messaging.emit('${SUBJECT}', jsonb_build_object('name', 'x'))`,
      [`${SUBJECT} has no field name`, `${SUBJECT} needs the field id`],
    ],
  ])('is held against the contract: %s', (sql, problems) => {
    expect(wrong(sql)).toEqual(problems);
  });

  it.each(storedServiceNames)('is what the contract says, in every function of %s', async (name) => {
    const surface = (await loadSurfaces()).find((one) => one.name === name);
    const functions = readFunctions(prismaDirsOf(name)).filter(({ file }) => file.startsWith('services/'));
    const problems = functions.flatMap(({ file, sql }) =>
      surface ? wrongSends(surface, sql).map((problem) => `${file}: ${problem}`) : [],
    );
    expect(problems).toEqual([]);
  });
});
