import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { copyDatabase } from '@tds/test-kit';
import { setUpMonitors } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check, fetches } = system;

const words = ['harbour', '"night shift"'];
const codeAt = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    ({ code }: { code: string }) => code,
  );
const matchedOf = (transcriptId: string) =>
  system.monitors.matched.filter((request) => request.transcriptId === transcriptId);
/** What the fetcher is asked to match for these monitors. */
const indexed = async (monitorIds: string[]) => {
  const transcriptId = randomUUID();
  await system.monitors.emitIndexed(transcriptId, monitorIds);
  await system.monitors.eventually(() =>
    expect(
      matchedOf(transcriptId)
        .flatMap((request) => request.monitorIds)
        .toSorted(),
    ).toEqual(monitorIds.toSorted()),
  );
  return matchedOf(transcriptId);
};

describe('the words of a monitor', () => {
  it('are saved and shown with its mails, which are none by default', async () => {
    const watched = await system.monitors.watch({ autoFetch: true, words, mail: 'daily' });
    expect(await watched.get()).toMatchObject({ words, mail: 'daily', auto_fetch: true });
    expect(await (await system.monitors.watch()).get()).toMatchObject({ words: [], mail: 'none' });
  });

  it('are refused without auto_fetch, and if one of them has none', async () => {
    expect(await codeAt(system.monitors.watch({ words }))).toBe('words_need_auto_fetch');
    expect(await codeAt(system.monitors.watch({ autoFetch: true, words: ['harbour', '-'] }))).toBe(
      'invalid_words',
    );
    const watched = await system.monitors.watch({ autoFetch: true, words });
    expect(await codeAt(watched.change({ autoFetch: false }))).toBe('words_need_auto_fetch');
    expect(await codeAt(watched.change({ words: ['"'] }))).toBe('invalid_words');
    expect(await codeAt(watched.change({ words: [] }, randomUUID()))).toBe('monitor_not_found');
    expect(await watched.get()).toMatchObject({ words, auto_fetch: true });
    await watched.change({ autoFetch: false, words: [] });
    expect(await watched.get()).toMatchObject({ words: [], auto_fetch: false });
  });

  it('and its new videos wish a weekly mail as a daily one with a mark, and none without a match', async () => {
    const watched = await system.monitors.watch({ autoFetch: true, words, mail: 'weekly' });
    expect(await watched.get()).toMatchObject({ mail: 'weekly', mail_only_matches: false });
    const first = system.monitors.platform.upload(watched.channel, 1);
    await check();
    await system.emits(watched, first);
    await watched.change({ mailOnlyMatches: true });
    const second = system.monitors.platform.upload(watched.channel, 1);
    await check();
    await system.emits(watched, [...first, ...second]);
    expect(watched.events()).toMatchObject([{ mail: 'daily', weekly: true }, { mail: 'none' }]);
    expect(await watched.get()).toMatchObject({ mail: 'weekly', mail_only_matches: true });
    expect(await indexed([watched.id])).toMatchObject([{ watches: [{ mail: 'daily', weekly: true }] }]);
  });

  it('change alone, and so does each other setting', async () => {
    const watched = await system.monitors.watch({ autoFetch: true, words });
    await watched.change({ mail: 'now' });
    expect(await watched.get()).toMatchObject({ words, mail: 'now', auto_fetch: true });
    await watched.change({ words: ['other'] });
    expect(await watched.get()).toMatchObject({ words: ['other'], mail: 'now', auto_fetch: true });
    expect((await watched.change({})).monitor).toMatchObject({ words: ['other'], mail: 'now' });
  });

  it('that are present count for a transcript, with what its events need', async () => {
    const keyId = randomUUID();
    const webhookUrl = 'https://hooks.example/words';
    const watched = await system.monitors.watch({ autoFetch: true, words, mail: 'daily', keyId, webhookUrl });
    await watched.change({ words: ['present'] });
    const [plain, cancelled] = [
      await system.monitors.watch({ autoFetch: true }),
      await system.monitors.watch({ autoFetch: true, words }),
    ];
    await cancelled.cancel();
    const unknown = 'z'.repeat(32);
    expect(await indexed([watched.id, plain.id, cancelled.id, unknown])).toMatchObject([
      {
        watches: [
          {
            ...{
              accountId: watched.accountId,
              monitorId: watched.id,
              channel: watched.channel,
              playlist: null,
            },
            ...{
              title: `Source ${watched.channel}`,
              webhookUrl,
              webhookKeyId: keyId,
              mail: 'daily',
              words: ['present'],
            },
          },
        ],
      },
    ]);
  });

  it('are sent in several messages if one cannot hold them', async () => {
    const long = Array.from({ length: 20 }, (_, n) => `${n} ${'語'.repeat(190)}`);
    const [accountId, monitors] = [randomUUID(), []] as [string, string[]];
    for (let n = 0; n < 25; n += 1) {
      const watched = await system.monitors.watch({ accountId, autoFetch: true, words: long });
      monitors.push(watched.id);
    }
    await system.monitors.query(
      `INSERT INTO monitors SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'kind', 'playlist', 'source_id', 'PL' || n))).*
       FROM monitors AS m, generate_series(1, 30) AS n WHERE replace(m.id::text, '-', '') = $1`,
      [monitors[0]],
    );
    const rows = await system.monitors.query<{ id: string }>(
      `SELECT replace(id::text, '-', '') AS id FROM monitors WHERE account_id = $1`,
      [accountId],
    );
    const requests = await indexed(rows.map(({ id }) => id));
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.flatMap(({ watches }) => watches)).toHaveLength(rows.length);
  });

  it('are matched later if the fetcher is away', async () => {
    const watched = await system.monitors.watch({ autoFetch: true, words });
    const transcriptId = randomUUID();
    system.monitors.fetcherIsAway(true);
    await system.monitors.emitIndexed(transcriptId, [watched.id]);
    await system.monitors.eventually(async () =>
      expect(
        await system.monitors.query(`SELECT FROM messaging.tasks WHERE payload::text LIKE '%' || $1 || '%'`, [
          transcriptId,
        ]),
      ).toHaveLength(1),
    );
    system.monitors.fetcherIsAway(false);
    await system.monitors.rows.makeDue('messaging.tasks', { where: "state = 'ready'" });
    await system.monitors.eventually(() => expect(matchedOf(transcriptId)).toHaveLength(1));
  });
});

describe('auto_fetch that is turned on', () => {
  it('fetches what is found from then on, and what comes after it is turned off has no job', async () => {
    const watched = await system.monitors.watch();
    system.monitors.platform.upload(watched.channel, 2);
    await check();
    await watched.change({ autoFetch: true, words });
    await check();
    const ids = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await fetches(watched, ids);
    await watched.change({ autoFetch: false, words: [] });
    system.monitors.platform.upload(watched.channel);
    await check();
    await fetches(watched, ids);
  });

  it('while a job is under way skips no video of later', async () => {
    const watched = await system.monitors.watch({ autoFetch: true });
    const release = system.monitors.holdJobs();
    const first = system.monitors.platform.upload(watched.channel, 3);
    const checking = check();
    await system.monitors.eventually(async () =>
      expect(
        await system.monitors.query(
          "SELECT FROM monitors WHERE fetching IS NOT NULL AND replace(id::text, '-', '') = $1",
          [watched.id],
        ),
      ).toHaveLength(1),
    );
    await watched.change({ autoFetch: false });
    await watched.change({ autoFetch: true });
    release();
    await checking;
    const later = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await fetches(watched, [...first, ...later]);
  });
});

describe('a restored database', () => {
  it('has the last settings again, however often and late they are heard of', async () => {
    const watched = await system.monitors.watch({ autoFetch: true, words });
    const copy = await copyDatabase(system.monitors.database);
    await system.monitors.eventually(() => watched.get());
    await watched.change({ words: ['first'] });
    await watched.change({ words: ['last'], mail: 'weekly', mailOnlyMatches: true });
    const unpublished = 'SELECT id FROM messaging.outbox WHERE published_at IS NULL';
    await system.monitors.eventually(async () => expect(await system.monitors.query(unpublished)).toEqual([]));
    await copy.putBack();
    await copy.drop();
    await system.monitors.eventually(async () =>
      expect(await watched.get()).toMatchObject({ words: ['last'], mail: 'weekly', mail_only_matches: true }),
    );
  });
});
