import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator, identity, MAX_LIVE_LINKS, MAX_NEW_LINKS_A_DAY } from '@tds/contracts';
import { createFake } from '@tds/kit/testing';
import { copyDatabase, eventually } from '@tds/test-kit';
import { createLinker, LINKED_VIDEO } from '../test-support/links.ts';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
/** Only its events. */
const accounts = createFake(identity);
const jobs = createFake(bulkOrchestrator);
beforeAll(async () => {
  fetcher = await startFetcher({}, {}, ['bulk-orchestrator', 'identity']);
  await Promise.all([jobs, accounts].map(({ service }) => fetcher.startFake(service)));
});
afterAll(() => fetcher?.stop());
afterEach(() => {
  fetcher.identity.update({});
  fetcher.identity.bounded.clear();
});

const newLinker = async () => {
  const linker = createLinker(fetcher);
  await linker.receive();
  return linker;
};
const gone = { code: 'link_not_found' };
const rowsOf = (accountId: string) => fetcher.query('SELECT id FROM links WHERE account_id = $1', [accountId]);
/** Rows as if they had been made before today, some of them over. */
const addOld = (accountId: string, count: number, endsIn: string, madeBefore: string) =>
  fetcher.query(
    `INSERT INTO links (id, account_id, key_id, person_id, transcript_id, is_fallback, translation, days, created_at, ends_at)
     SELECT gen_random_uuid(), $1::uuid, $1::uuid, $1::uuid, t.id, false, 'not_requested', 30, now() - $5::interval, now() + $4::interval
     FROM transcripts AS t, generate_series(1, $2) WHERE t.video_id = $3`,
    [accountId, count, LINKED_VIDEO, endsIn, madeBefore],
  );

describe('a link', () => {
  it('leads to the transcript that its account has received, with how it was asked for, and counts its readers', async () => {
    const linker = await newLinker();
    const { link, isReplayed } = await linker.create({ language: 'en', start: 1.5, end: 4 });
    expect(isReplayed).toBe(false);
    expect(link).toMatchObject({
      ...{
        person_id: linker.accountId,
        video_id: LINKED_VIDEO,
        language: 'en',
        kind: 'manual',
        requested: 'en',
      },
      ...{ start: 1.5, end: 4, opens: 0 },
    });
    expect(Date.parse(link.ends_at) - Date.parse(link.created_at)).toBe(30 * 86_400_000);
    fetcher.identity.update({ accountName: 'Harbour Research' });
    const { accountName, transcript } = await linker.open(link.id);
    expect(accountName).toBe('Harbour Research');
    expect(transcript).toMatchObject({
      ...{ format: 'json', creditsCharged: 0, video: { id: LINKED_VIDEO } },
      language: { requested: 'en', delivered: 'en', fallback: false, translation: 'not_requested' },
    });
    await linker.open(link.id, false);
    expect(await linker.list()).toEqual([{ ...link, opens: 1 }]);
    expect((await linker.get(link.id)).link.opens).toBe(1);
    expect(Object.keys((await fetcher.query('SELECT * FROM links LIMIT 1'))[0] as object)).not.toContain(
      'opened_by',
    );
  });

  it('is made to what was asked for by the spoken language, by a list, or by no language', async () => {
    const linker = await newLinker();
    const languages = ['orig', 'en', 'orig,en'];
    for (const language of languages)
      await fetcher.get({ videoId: LINKED_VIDEO, accountId: linker.accountId, language });
    const made = [await linker.create()];
    for (const language of languages) made.push(await linker.create({ language }));
    expect(made.map(({ link }) => link.requested)).toEqual(['en', ...languages]);
    expect(new Set(made.map(({ link }) => link.language))).toEqual(new Set(['en']));
  });

  it('is made only to what was received, in this language, and of a quote that can be one', async () => {
    const linker = await newLinker();
    const refusals: [Parameters<typeof linker.create>[0], string][] = [
      [{ videoId: 'neverRead01' }, 'transcript_not_received'],
      [{ language: 'xx' }, 'transcript_not_received'],
      [{ start: 1 }, 'invalid_quote'],
      [{ end: 1 }, 'invalid_quote'],
      [{ start: 4, end: 4 }, 'invalid_quote'],
      [{ start: 9, end: 4 }, 'invalid_quote'],
      [{ start: 1e9, end: 2e9 }, 'invalid_quote'],
    ];
    for (const [fields, code] of refusals) await expect(linker.create(fields)).rejects.toMatchObject({ code });
    await expect(createLinker(fetcher).create()).rejects.toMatchObject({ code: 'transcript_not_received' });
    expect(await rowsOf(linker.accountId)).toEqual([]);
  });

  it('is one for an Idempotency-Key, whoever of the account sends it, how often and when', async () => {
    const linker = await newLinker();
    const idempotencyKey = randomUUID();
    const made = await Promise.all(
      Array.from({ length: 8 }, () => linker.create({ idempotencyKey, keyId: randomUUID() })),
    );
    expect(new Set(made.map(({ link }) => link.id)).size).toBe(1);
    expect(made.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    for (const other of [{ days: 29 }, { language: 'en' }, { start: 0, end: 1 }])
      await expect(linker.create({ idempotencyKey, ...other })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
    const id = String(made[0]?.link.id);
    await linker.end(id);
    expect(await linker.create({ idempotencyKey })).toMatchObject({ isReplayed: true, link: { id } });
    await expect(linker.open(id)).rejects.toMatchObject(gone);
    const other = await newLinker();
    expect((await other.create({ idempotencyKey })).link.id).not.toBe(id);
    expect(await rowsOf(linker.accountId)).toHaveLength(1);
  });

  it('has no more beside it than an account may have, also if many are made at once', async () => {
    const full = await newLinker();
    await addOld(full.accountId, MAX_LIVE_LINKS - 1, '1 day', '2 days');
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => full.create()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(full.create()).rejects.toMatchObject({ code: 'link_limit' });
    const [last] = await full.list();
    await full.end(String(last?.id));
    await full.create();

    const busy = await newLinker();
    await addOld(busy.accountId, MAX_NEW_LINKS_A_DAY - 1, '-1 seconds', '0 seconds');
    await busy.create();
    await expect(busy.create()).rejects.toMatchObject({ code: 'link_creation_cap' });
    await fetcher.query(`UPDATE links SET created_at = created_at - interval '1 day' WHERE account_id = $1`, [
      busy.accountId,
    ]);
    await busy.create();
  });

  it('is seen and taken back by its account alone, and by no key that is bounded and has not made it', async () => {
    const [linker, other] = [await newLinker(), await newLinker()];
    const { link } = await linker.create();
    for (const act of [other.get, other.end]) await expect(act(link.id)).rejects.toMatchObject(gone);
    expect(await other.list()).toEqual([]);
    const stranger = randomUUID();
    fetcher.identity.bounded.add(stranger).add(linker.keyId);
    await expect(linker.end(link.id, stranger)).rejects.toMatchObject({ code: 'begun_by_another_key' });
    await linker.open(link.id);
    const ended = await linker.end(link.id, linker.keyId);
    expect(Date.parse(ended.link.ends_at)).toBeLessThan(Date.parse(link.ends_at));
    expect(await linker.end(link.id)).toEqual(ended);
    await expect(linker.open(link.id)).rejects.toMatchObject(gone);
    expect(await linker.list()).toEqual([]);
    expect((await linker.get(link.id)).link).toEqual(ended.link);
  });
});

describe('nobody reads a link', () => {
  it('that is unknown or over', async () => {
    const linker = await newLinker();
    await expect(linker.open(randomUUID())).rejects.toMatchObject(gone);
    const { link } = await linker.create();
    await fetcher.query('UPDATE links SET ends_at = now() WHERE id = $1', [link.id]);
    await expect(linker.open(link.id)).rejects.toMatchObject(gone);
  });

  it('of an account that is frozen, or of a key that was revoked at once, until both are as before', async () => {
    const linker = await newLinker();
    const { link } = await linker.create();
    for (const state of [
      { accountStatus: 'frozen' },
      { accountStatus: 'closed' },
      { phase: 'revoked' },
    ] as const) {
      fetcher.identity.update(state);
      await expect(linker.open(link.id)).rejects.toMatchObject(gone);
    }
    for (const phase of ['active', 'ending', 'retired'] as const) {
      fetcher.identity.update({ phase });
      expect((await linker.open(link.id)).link.id).toBe(link.id);
    }
  });

  it('to a transcript that came by a job which was deleted since', async () => {
    const linker = createLinker(fetcher);
    const jobId = randomUUID();
    await fetcher.get({ videoId: LINKED_VIDEO });
    const [row] = await fetcher.query<{ id: string }>('SELECT id FROM transcripts WHERE video_id = $1', [
      LINKED_VIDEO,
    ]);
    const given = [{ account_id: linker.accountId, transcript_id: row?.id, job_id: jobId }];
    await fetcher.query('SELECT save_received($1)', [JSON.stringify(given)]);
    const { link } = await linker.create();
    await linker.open(link.id);
    await jobs.emit(bulkOrchestrator.jobErased, { jobId, accountId: linker.accountId });
    await eventually(() => expect(linker.open(link.id)).rejects.toMatchObject(gone));
    expect(await linker.list()).toEqual([]);
  });

  it('of a closed account, whose links are deleted', async () => {
    const linker = await newLinker();
    await linker.create();
    await accounts.emit(identity.accountStatusChanged, {
      ...{ accountId: linker.accountId, status: 'closed', version: 1 },
    });
    await eventually(async () => expect(await rowsOf(linker.accountId)).toEqual([]));
  });

  it('that was taken back, after a restore of the database to before that', async () => {
    const linker = await newLinker();
    const [kept, ended] = [(await linker.create()).link, (await linker.create()).link];
    const copy = await copyDatabase(fetcher.database);
    await eventually(() => linker.list());
    await linker.end(ended.id);
    const unpublished = 'SELECT id FROM messaging.outbox WHERE published_at IS NULL';
    await eventually(async () => expect(await fetcher.query(unpublished)).toEqual([]));
    await copy.putBack();
    await copy.drop();
    await eventually(async () => {
      await expect(linker.open(ended.id)).rejects.toMatchObject(gone);
      expect((await linker.open(kept.id)).link.id).toBe(kept.id);
    });
  });
});

it('a link that is over is deleted eight days later', async () => {
  const accountId = randomUUID();
  await fetcher.get({ videoId: LINKED_VIDEO });
  await addOld(accountId, 3, '-9 days', '30 days');
  await addOld(accountId, 2, '-7 days', '30 days');
  await fetcher.rows.makeDue('messaging.schedules', { where: "name = 'purge-libraries'" });
  await eventually(async () => expect(await rowsOf(accountId)).toHaveLength(2));
});
