import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, openLibrary, type TestLibrary } from '../test-support/library.ts';
import { removeAccount, removeJob } from './store/library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());

type Watch = Awaited<ReturnType<TestLibrary['addWatch']>>;

/** A transcript that jobs of these monitors have delivered, indexed. */
const deliver = async (texts: readonly string[], watches: readonly Watch[], languageCode = 'en') => {
  const transcript = await library.addTranscript(texts, { languageCode });
  for (const { accountId, jobId } of watches) await library.receive(accountId, transcript.id, jobId);
  await library.index();
  return transcript;
};
const matchAll = (id: string, watches: readonly Watch[]) =>
  library.match(
    id,
    watches.map(({ watch }) => watch),
  );
/** The queries of which a monitor hears if this is said. */
const heard = async (text: string | readonly string[], words: readonly string[], languageCode = 'en') => {
  const monitor = await library.addWatch(words);
  const { id } = await deliver([text].flat(), [monitor], languageCode);
  await matchAll(id, [monitor]);
  expect(await library.waiting(id)).toEqual([]);
  return library.foundFor(monitor.monitorId).map(({ match }) => match.query);
};

describe('a new video of a monitor', () => {
  it('that has the words is one event for each query and one row, with the sentence and its second', async () => {
    const monitor = await library.addWatch(['harbour crane', 'absent', '"night shift"']);
    const { id, videoId } = await deliver(
      ['Nothing here.', 'The harbour crane stood still. The night shift slept.'],
      [monitor],
    );
    expect(library.announced(id)).toEqual([{ transcriptId: id, monitorIds: [monitor.monitorId] }]);
    await matchAll(id, [monitor]);
    const events = library.foundFor(monitor.monitorId);
    expect(events.map(({ match }) => match.query).toSorted()).toEqual(['"night shift"', 'harbour crane']);
    const crane = events.find(({ match }) => match.query === 'harbour crane');
    expect(crane).toMatchObject({
      ...{ accountId: monitor.accountId, playlist: 'PL1', title: 'A source' },
      match: {
        video: { video_id: videoId },
        language: 'en',
        passages: [
          {
            start: 10,
            text: 'The harbour crane stood still.',
            url: `https://www.youtube.com/watch?v=${videoId}&t=10s`,
          },
        ],
      },
    });
    const { matches } = await library.matches(monitor.accountId, monitor.monitorId);
    expect(matches).toContainEqual({ ...crane?.match, monitor_id: monitor.monitorId });
    expect(crane?.match.passages[0]?.words).toBe('harbour crane');
    expect(await library.matches(newAccount(), monitor.monitorId)).toMatchObject({ total: 0, matches: [] });
  });

  it('is one event for mails with all its queries, however who made it is mailed, and no other event asks for one', async () => {
    const words = ['crane', 'absent', '"night shift"'];
    const personId = newAccount();
    const both = [await library.addWatch(words, { mail: 'daily', personId }), await library.addWatch(words)];
    const [mailed, silent] = both as [Watch, Watch];
    const { id } = await deliver(['The crane stood still. The night shift slept.'], both);
    for (let time = 0; time < 2; time += 1) await matchAll(id, both);
    const also = [{ query: '"night shift"', passages: [{ text: 'The night shift slept.' }] }];
    expect(library.mailedFor(mailed.monitorId)).toMatchObject([
      { title: 'A source', mail: 'daily', personId, match: { query: 'crane' }, also },
    ]);
    expect(library.foundFor(mailed.monitorId).map(({ mail }) => mail)).toEqual(['none', 'none']);
    expect(library.mailedFor(silent.monitorId)).toMatchObject([{ mail: 'none' }]);
  });

  it('says in its event, its row and its trial that a machine translated the words', async () => {
    const monitor = await library.addWatch(['Nachtschicht']);
    const transcript = await library.addTranscript(['Die Nachtschicht.'], {
      ...{ languageCode: 'de', translated: true },
    });
    await library.receive(monitor.accountId, transcript.id, monitor.jobId);
    await library.index();
    await matchAll(transcript.id, [monitor]);
    const { matches } = await library.matches(monitor.accountId, monitor.monitorId);
    const tried = await library.tryWords(monitor.accountId, ['Nachtschicht']);
    for (const found of [library.foundFor(monitor.monitorId)[0]?.match, matches[0], tried?.matches[0]])
      expect(found).toMatchObject({ language: 'de', translated: true });
  });

  it('is matched once by two instances, and by a repeated message, for each of two monitors', async () => {
    const monitors = await Promise.all([1, 2].map(() => library.addWatch(['lighthouse'])));
    const { id } = await deliver(['A lighthouse.'], monitors);
    await Promise.all([1, 2, 3].map(() => matchAll(id, monitors)));
    await matchAll(id, monitors);
    for (const { monitorId } of monitors) expect(library.foundFor(monitorId)).toHaveLength(1);
  });

  it('waits until its monitors are asked: the event comes again, and the words of then count', async () => {
    const monitor = await library.addWatch(['before']);
    const { id } = await deliver(['Before and afterwards.'], [monitor]);
    expect(await library.waiting(id)).toHaveLength(1);
    await library.rows.makeDue('unindexed_transcripts', { where: 'id = $1', values: [id] });
    await library.index();
    expect(library.announced(id)).toHaveLength(2);
    await library.match(id, [{ ...monitor.watch, words: ['afterwards'] }]);
    expect(library.foundFor(monitor.monitorId).map(({ match }) => match.query)).toEqual(['afterwards']);
    await library.rows.makeDue('unindexed_transcripts', { where: 'id = $1', values: [id] });
    await library.index();
    expect(await library.query('SELECT FROM unindexed_transcripts WHERE id = $1', [id])).toEqual([]);
  });

  it('is matched for an account that had its transcript before, and for one that finds it in the cache', async () => {
    const [first, second] = [await library.addWatch(['canal']), await library.addWatch(['canal'])];
    const { id } = await library.addIndexed(first.accountId, ['The canal.']);
    await library.receive(first.accountId, id, first.jobId);
    await library.receive(second.accountId, id, second.jobId);
    await library.index();
    await matchAll(id, [first, second]);
    for (const { monitorId } of [first, second]) expect(library.foundFor(monitorId)).toHaveLength(1);
  });

  it('that a restored database matches again has the same id', async () => {
    const monitor = await library.addWatch(['tide']);
    const { id } = await deliver(['The tide.'], [monitor]);
    await matchAll(id, [monitor]);
    await library.query('DELETE FROM word_matches WHERE monitor_id = $1', [monitor.monitorId]);
    await library.query('DELETE FROM library_entries WHERE transcript_id = $1', [id]);
    await library.receive(monitor.accountId, id, monitor.jobId);
    await library.index();
    await matchAll(id, [monitor]);
    const [before, after] = library.foundFor(monitor.monitorId);
    expect(after?.match.id).toBe(before?.match.id);
  });

  it('is not matched for another account, for a monitor without words, or by a read', async () => {
    const monitor = await library.addWatch(['anchor']);
    const { id } = await deliver(['The anchor.'], [monitor]);
    await library.match(id, [{ ...monitor.watch, accountId: newAccount() }], []);
    await library.match(id, [], [monitor.monitorId]);
    await matchAll(id, [monitor]);
    expect(library.foundFor(monitor.monitorId)).toEqual([]);
    expect(await library.waiting(id)).toEqual([]);
    const read = await library.addIndexed(newAccount(), ['The anchor.']);
    expect(library.announced(read.id)).toEqual([]);
  });

  it('is announced to more monitors than one event has', async () => {
    const { id } = await library.addTranscript(['Many.']);
    await library.query(
      `INSERT INTO unmatched_deliveries SELECT $1, lpad(n::text, 32, '0'), gen_random_uuid(), gen_random_uuid() FROM generate_series(1, 501) AS n`,
      [id],
    );
    await library.receive(newAccount(), id);
    await library.index();
    expect(library.announced(id).map(({ monitorIds }) => monitorIds.length)).toEqual([500, 1]);
  });
});

describe('words', () => {
  it.each([
    ['The harbours.', 'harbour', 'en'],
    ['Der Kran am Hafen.', 'kräne', 'de'],
    ['今日は東京タワーに行きました', '東京タワー', 'ja'],
    ['我們今天去看長城', '長城', 'zh-Hant'],
    ['오늘은 서울에서 만났습니다', '서울', 'ko'],
    ['วันนี้เราไปกรุงเทพ', 'กรุงเทพ', 'th'],
    ['To be or not to be.', '"to be or not"', 'en'],
    ['It was the one.', 'the', 'en'],
    ['A hamlet.', 'hamlet -crane', 'en'],
  ])('in %j are found by %j', async (text, query, language) => {
    expect(await heard(text, [query], language)).toEqual([query]);
  });

  it.each([
    ['The crane of a hamlet.', 'hamlet -crane', 'en'],
    ['The shift of a night.', '"night shift"', 'en'],
    ['今日は京都に行きました', '東京', 'ja'],
    ['A harbour.', 'harbour crane', 'en'],
  ])('in %j are not found by %j', async (text, query, language) => {
    expect(await heard(text, [query], language)).toEqual([]);
  });

  it('are found over the end of a passage, once', async () => {
    const filler = 'Word after word goes on here without an end in sight for quite a while. '.repeat(9);
    const texts = [`${filler}The ancient`, `bridge of stone. ${filler}`];
    const monitor = await library.addWatch(['"ancient bridge of stone"']);
    const { id } = await deliver(texts, [monitor]);
    await matchAll(id, [monitor]);
    expect(library.foundFor(monitor.monitorId).map(({ match }) => match.passages.length)).toEqual([1]);
  });

  it('have at most five passages, the first ones, with twenty queries in many passages', async () => {
    const texts = Array.from(
      { length: 60 },
      (_, n) => `${'Filler of a sentence. '.repeat(30)}The number ${n} and the rest.`,
    );
    const words = Array.from({ length: 20 }, (_, n) => (n < 19 ? `number ${n}` : 'the'));
    const monitor = await library.addWatch(words);
    const { id } = await deliver(texts, [monitor]);
    await matchAll(id, [monitor]);
    const events = library.foundFor(monitor.monitorId);
    expect(events).toHaveLength(20);
    const starts = events.find(({ match }) => match.query === 'the')?.match.passages.map(({ start }) => start);
    expect(starts).toEqual([0, 10, 20, 30, 40]);
  });
});

describe('matches', () => {
  const matched = async (text: string, query: string) => {
    const monitor = await library.addWatch([query]);
    const { id } = await deliver([text], [monitor]);
    await matchAll(id, [monitor]);
    return {
      ...monitor,
      id,
      count: async () => (await library.matches(monitor.accountId, monitor.monitorId)).total,
    };
  };

  it('go with their job, with their account, and what is delivered after that is not matched', async () => {
    const [erased, closed] = [await matched('Erased.', 'erased'), await matched('Closed.', 'closed')];
    await library.db.$transaction((tx) => removeJob(tx, erased.jobId));
    await library.db.$transaction((tx) => removeAccount(tx, closed.accountId));
    for (const each of [erased, closed]) {
      expect(await each.count()).toBe(0);
      await library.receive(each.accountId, each.id, each.jobId);
      expect(await library.waiting(each.id)).toEqual([]);
    }
  });

  it('are listed newest first, page by page', async () => {
    const monitor = await library.addWatch(['page']);
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) {
      const { id, videoId } = await deliver(['A page.'], [monitor]);
      await matchAll(id, [monitor]);
      ids.unshift(videoId);
    }
    const pages = await Promise.all(
      [0, 1, 2, 3].map((offset) => library.matches(monitor.accountId, monitor.monitorId, { limit: 1, offset })),
    );
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3, 3]);
    expect(pages.flatMap(({ matches }) => matches.map(({ video }) => video.video_id))).toEqual(ids);
  });
});
