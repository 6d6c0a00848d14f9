import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator, identity } from '@tds/contracts';
import { fakeOf } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { rowsOf } from '../test-support/lines.ts';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
const jobs = fakeOf(bulkOrchestrator);
/** Only its events: another fake answers its commands. */
const accounts = fakeOf(identity);
beforeAll(async () => {
  fetcher = await startFetcher({}, {}, ['bulk-orchestrator', 'identity']);
  await Promise.all([jobs, accounts].map(({ service }) => fetcher.startFake(service)));
});
afterAll(() => fetcher?.stop());

const VIDEO = 'manualEn001';
/** Words of its captions. */
const firstWords = async (): Promise<string> => {
  const [row] = await fetcher.query<{ text: string }>(
    'SELECT p.text FROM passages AS p JOIN transcripts AS t ON t.id = p.transcript_id WHERE t.video_id = $1 ORDER BY p.position LIMIT 1',
    [VIDEO],
  );
  return String(row?.text)
    .replaceAll(/[^\p{L} ]/gu, ' ')
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .join(' ');
};
const read = async (accountId: string) => {
  await fetcher.get({ videoId: VIDEO, accountId });
  await fetcher.library.record([
    { accountId, videoId: VIDEO, language: 'en', kind: 'manual', translated: false },
  ]);
};
const untilFound = (accountId: string, given: object = {}) =>
  eventually(async () => {
    const found = await fetcher.library.search(accountId, await firstWords(), given);
    expect(found.total).toBeGreaterThan(0);
    return found;
  });

describe('what an account has received', () => {
  it('can be searched a moment later, with the link to the second', async () => {
    const account = randomUUID();
    await read(account);
    const { results } = await untilFound(account);
    expect(results[0]).toMatchObject({ video_id: VIDEO, language: 'en', kind: 'manual', translated: false });
    expect(results[0]?.url).toBe(
      `https://www.youtube.com/watch?v=${VIDEO}&t=${Math.floor(results[0]?.start ?? 0)}s`,
    );
    expect(await fetcher.library.list(account)).toMatchObject({
      total: 1,
      transcripts: [{ video_id: VIDEO }],
    });
    expect(await fetcher.library.search(randomUUID(), await firstWords())).toMatchObject({ total: 0 });
  });

  it('refuses a query without a word to find', async () => {
    await expect(fetcher.library.search(randomUUID(), '-"" | & -crane')).rejects.toMatchObject({
      code: 'invalid_library_query',
    });
  });

  it('comes from jobs, and goes with the last of them', async () => {
    const [account, lineId] = [randomUUID(), randomUUID()];
    const rows = rowsOf([VIDEO]);
    await fetcher.lines.openLine({ lineId, accountId: account, rows });
    await fetcher.lines.ended(lineId, rows);
    await untilFound(account, { jobId: lineId });
    await jobs.emit(bulkOrchestrator.jobErased, { jobId: lineId, accountId: account });
    await eventually(async () => expect(await fetcher.library.list(account)).toMatchObject({ total: 0 }));
    expect(await fetcher.library.search(account, await firstWords())).toMatchObject({ total: 0 });
  });

  it('is gone when the account is closed, also what ends after that', async () => {
    const account = randomUUID();
    await read(account);
    await untilFound(account);
    const closed = { accountId: account, status: 'closed' as const, version: 1 };
    await accounts.emit(identity.accountStatusChanged, closed);
    await eventually(async () => expect(await fetcher.library.list(account)).toMatchObject({ total: 0 }));
    await read(account);
    await fetcher.query(`UPDATE messaging.schedules SET next_due_at = now() WHERE name = 'purge-libraries'`);
    await eventually(async () => expect(await fetcher.library.list(account)).toMatchObject({ total: 0 }));
  });

  it('is indexed again, if a restored database lacks the index', async () => {
    const account = randomUUID();
    await read(account);
    await untilFound(account);
    await fetcher.query('DELETE FROM passages');
    await fetcher.query('UPDATE library_entries SET words = NULL');
    await eventually(async () => expect(await fetcher.query('SELECT FROM passages')).not.toEqual([]));
    await untilFound(account);
  });

  it('comes back for nothing when a gateway serves it again, after this database alone was put back', async () => {
    const account = randomUUID();
    const videoId = 'load0054321';
    const cached = {
      accountId: account,
      videoId,
      language: 'en',
      kind: 'manual',
      translated: false,
    } as const;
    await fetcher.get({ videoId, accountId: account });
    // The copy is older than all that is known of the video.
    for (const table of ['library_entries', 'operations', 'selections', 'rendered_files', 'passages']) {
      const of =
        table === 'operations' || table === 'selections'
          ? 'video_id = $1'
          : 'transcript_id IN (SELECT id FROM transcripts WHERE video_id = $1)';
      await fetcher.query(`DELETE FROM ${table} WHERE ${of}`, [videoId]);
    }
    await fetcher.query('DELETE FROM transcripts WHERE video_id = $1', [videoId]);
    const charged = fetcher.ledger.size();
    await fetcher.library.record([cached, cached]);
    await eventually(async () => {
      const { transcripts } = await fetcher.library.list(account);
      expect(transcripts).toMatchObject([{ video_id: videoId, language: 'en', kind: 'manual' }]);
    });
    expect(fetcher.ledger.size()).toBe(charged);
  });
});
