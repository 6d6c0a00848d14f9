import { describe, expect, it } from '@jest/globals';
import { run } from '../../test-support/run-operation.ts';

describe('a monitor', () => {
  const monitor = { id: 'm', words: ['crane'] };

  it('is created with words, one a line, and with what was added', async () => {
    const options = { autoFetch: true, mail: 'daily', words: ' crane \n\n"night shift" -storm\n' };
    const parameters = { watch: 'channel', address: ' @a ', language: 'orig', options };
    const { rows, sent } = await run('monitor.create', parameters, { 'POST /v1/monitors': { monitor } });
    expect(rows).toEqual([monitor]);
    expect(sent[0]).toMatchObject({
      body: {
        ...{ channel: '@a', language: 'orig', auto_fetch: true, mail: 'daily' },
        words: ['crane', '"night shift" -storm'],
      },
      key: expect.stringContaining('key of'),
    });
  });

  it('is updated in what was added only, and listens for nothing if words are empty', async () => {
    const reply = { 'PATCH /v1/monitors/m': { monitor } };
    const bodies: unknown[] = [];
    for (const options of [{ mail: 'now' }, { words: '' }, { autoFetch: false, words: ['a b'] }]) {
      const { sent } = await run('monitor.update', { monitorId: 'm', options }, reply);
      bodies.push(sent[0]?.body);
    }
    expect(bodies).toEqual([{ mail: 'now' }, { words: [] }, { auto_fetch: false, words: ['a b'] }]);
  });

  it('has an item for each match, up to the limit, and so has a list of monitors', async () => {
    const replies = {
      'GET /v1/monitors/m/matches': { matches: [{ id: 1 }, { id: 2 }], next: null },
      'GET /v1/monitors': { monitors: [monitor], next: null },
    };
    const matches = await run('monitor.getMatches', { monitorId: ' m ', limit: 1 }, replies);
    expect(matches.rows).toEqual([{ id: 1 }]);
    const all = await run('monitor.getMatches', { monitorId: 'm', returnAll: true }, replies);
    expect(all.rows).toHaveLength(2);
    expect((await run('monitor.getMany', { limit: 50 }, replies)).rows).toEqual([monitor]);
  });
});
