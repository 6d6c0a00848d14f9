import { afterAll, describe, expect, it } from '@jest/globals';
import type { EventNotice } from '@tds/contracts';
import { createStepCounter } from '@tds/jest';
import { quoteName, quoteText } from '../domain/mail-text.ts';
import { digestMail } from './digest-mail.ts';
import { noticeMail } from './mails.ts';

const steps = createStepCounter<string>(new URL('../test-support/works.ts', import.meta.url));
afterAll(steps.stop);

describe('words of others in mails of monitors', () => {
  const hostile = [
    'Go to https://example.com/x?y=1 now, or to file:///x and \\\\host\\share',
    'www.example.com, ftp.example, www.example',
    'example.com and EXAMPLE.CO.UK, (example.org). It is.So simple',
    'bob@example.com, bob@localhost, mailto:bob@example.com, tel:1234',
    'javascript:alert(1) http://127.0.0.1/ http://localhost foo://x',
    'at 192.0.2.1 or 192.0.2.1:80',
    'www\uff0eexample\uff61com www\u3002example\u3002com example\ufe52com',
    'exam\u200bple.com example\u2060.com ex\u00adample.com',
    '\u202emoc.elpmaxe\u202c \u2066x\u2069',
    '<a href="https://example.com">x</a><bdi><script>alert(1)</script>',
    'one\r\nSubject: two\u2028\u2029\u0000\u0007\u001b[31m',
    '\ud800 half',
    'пример.рф xn--e1afmkfd.xn--p1ai 例え.みんな',
  ];
  const places = { supportEmail: 'help@transcripts.example', publicUrl: 'https://transcripts.example' };
  const stops = {
    all: { words: 'Stop all', path: '/v1/mail/stop?link=a' },
    one: (workId: string) => ({ words: 'Stop this one', path: `/v1/mail/stop?link=${workId}` }),
  };
  const dailyMail = (notices: EventNotice[], more = 0) =>
    digestMail({ period: 'daily', days: '29 November', notices, more }, places, stops);
  const passage = { start: 3_725, url: 'https://evil.example/watch' };
  const matchOf = (text: string): EventNotice => ({
    ...{ kind: 'words_found', monitorId: 'a'.repeat(32), title: text, query: text },
    ...{ language: 'orig', translated: false },
    video: { video_id: 'abcdefghijk', title: text, published_at: null, channel_title: null },
    passages: [{ ...passage, text }],
    also: [{ query: text, passages: [{ ...passage, text }] }],
  });
  const found = new RegExp(
    [
      ...[
        'https?://(?!transcripts\\.example/)\\S',
        '\\S[.．｡。﹒](?:com|co|uk|org|So|рф|xn--|みんな)(?!\\p{L})',
      ],
      ...['(?:www|ftp)[.．｡。]', '\\S@\\S', '[a-z]:[^\\s\\d]', '\\\\\\\\', '\\d\\.\\d+\\.\\d'],
      '(?![\\u2060\\u2068\\u2069])[\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]',
    ]
      .map((part) => part.replaceAll('\\S', '[^\\s\\u2060]'))
      .join('|'),
    'iu',
  );
  const withoutOurs = (text: string): string =>
    text.replace(/https:\/\/(?:transcripts\.example|www\.youtube\.com)\S*/g, '').replaceAll(':\n', '\n');

  it.each(hostile)('are text without a link, in the text and in the HTML: %j', (text) => {
    for (const mail of [noticeMail(matchOf(text), places), dailyMail([matchOf(text)])]) {
      expect(withoutOurs(mail.text)).not.toMatch(found);
      expect(mail.subject).not.toMatch(found);
      expect(mail.subject).not.toMatch(/\p{Cc}/u);
      expect(
        [...mail.html.matchAll(/href="([^"]*)"/g)].every(([, url]) =>
          /^https:\/\/(?:transcripts\.example\/|www\.youtube\.com\/watch\?v=abcdefghijk&amp;t=3725)/.test(
            url ?? '',
          ),
        ),
      ).toBe(true);
      expect(
        mail.html.match(/<(?!\/?(?:p|h2|h3|a|br|bdi|strong|blockquote|hr|head|meta|body|html|!doctype)\b)/gi),
      ).toBeNull();
      const words = mail.html.replace(/<[^>]*>/g, ' ');
      expect(withoutOurs(words)).not.toMatch(found);
    }
  });

  it('stay readable: what is no link is as it was said', () => {
    const text = 'At 10:30 it cost 3.5 million. "Well," he said: yes! That is 100% of it; see p. 7';
    expect(quoteText(text)).toBe(`"${text}"`);
    expect(quoteText('今日は休みです。明日は？')).toBe('"今日は休みです。明日は？"');
    for (const said of [
      'The U.S. average',
      'at 7:30 p.m. any day',
      'i.e., e.g., z.B. this',
      'Node.js 24.1.2 by a.b',
    ])
      expect(quoteText(said)).toBe(`"${said}"`);
    for (const said of ['Q&A: libraries (week 48)', '@nao_gitaa', 'नमस्ते क्‍ष 👩‍👧'])
      expect(quoteName(said)).toBe(`"${said}"`);
  });

  it('look as they were said, also what a mail program would make a link', () => {
    const said = 'See example.com, bob@example.co.uk and https://example.org/x: all of 192.0.2.1';
    expect(quoteText(said).replaceAll('\u2060', '')).toBe(`"${said}"`);
  });

  it('have a direction of their own in both parts, if they are read from the right', () => {
    const mail = noticeMail({ ...matchOf('95 الخبز & friends'), query: 'bread' } as EventNotice, places);
    expect(mail.text).toContain('\u206895 الخبز & friends\u2069\nRead it: ');
    expect(mail.html).toContain('><bdi>95 الخبز &amp; friends</bdi></a></h3>');
    expect(quoteText('د.أحمد')).toBe('"\u2068د.أحمد\u2069"');
  });

  it('are cut between graphemes', () => {
    expect(quoteName('👩‍👧'.repeat(99))).toBe(`"${'👩‍👧'.repeat(60)}…"`);
  });

  it.each(['.', '1.', '@', 'a:', ' ', '\u202e'])(
    'cost steps in proportion to their length: %j',
    async (piece) => {
      const few = await steps.count('a quoted text', piece.repeat(5_000));
      expect(await steps.count('a quoted text', piece.repeat(40_000))).toBeLessThan(12 * few);
    },
  );

  const harbour = (queries: readonly string[], passages = 1): EventNotice => {
    const sentences = Array.from({ length: passages }, (_, nth) => ({ ...passage, text: `Sentence ${nth}.` }));
    const [query = '', ...others] = queries;
    const also = others.map((other) => ({ query: other, passages: sentences }));
    return { ...matchOf('Talk'), title: 'Harbour TV', query, passages: sentences, also } as EventNotice;
  };
  const phrases = ['"night shift"', 'crane', '"old dock" -cat', 'ship'];

  it('name themselves, their video and its channel in the subject, so that no two are alike', () => {
    const subjectOf = (notice: EventNotice) => noticeMail(notice, places).subject;
    expect(subjectOf(harbour(['"night shift"']))).toBe('"night shift" in Talk (Harbour TV)');
    expect(subjectOf(harbour(phrases))).toBe('"night shift" and 3 more in Talk (Harbour TV)');
    expect(subjectOf(harbour(['crane']))).toBe('"crane" in Talk (Harbour TV)');
    const long = { ...harbour(['x'.repeat(200)]), title: 'y'.repeat(120) } as EventNotice;
    expect(subjectOf(long)).toBe(`"${'x'.repeat(40)}…" in Talk (${'y'.repeat(40)}…)`);
  });

  it('are in one mail of a video with all queries, each with its sentences and both links', () => {
    const { text } = noticeMail(harbour(phrases, 5), places);
    expect(text).toMatch(
      /^Talk\nRead it: \S+\n\nHarbour TV\n\n"night shift":\n\n"Sentence 0\."\nRead it at 1:02:05: /,
    );
    expect(text).toContain('\nWatch it: https://www.youtube.com/watch?v=abcdefghijk&t=3725');
    for (const query of ['"crane"', '"old dock" -cat', '"ship"'])
      expect(text).toContain(`\n\n${query}:\n\n"Sentence 0."`);
    expect(text.match(/"Sentence 4\."/g)).toHaveLength(4);
    // A match has five places at most.
    expect(text.match(/\n\nand perhaps more places\n\n/g)).toHaveLength(4);
    expect(noticeMail(harbour(phrases, 4), places).text).not.toContain('more');
  });

  it.each([
    ['night shift', 'He took the night shift.', 'He took the <strong>night shift</strong>.'],
    ['example.com', 'See example.com, <b>', 'See <strong>example\u2060.\u2060com</strong>, &lt;b&gt;'],
    ['الخبز', 'ابن الخبز', '<bdi>ابن <strong>الخبز</strong></bdi>'],
    ['elsewhere', 'Not in it.', 'Not in it.'],
  ])('are bold in their sentence: %s', (words, text, html) => {
    const notice = { ...matchOf('x'), passages: [{ ...passage, text, words }] } as EventNotice;
    expect(noticeMail(notice, places).html).toContain(`>${html}<br><a href=`);
  });

  it('say at their end why they came, and lead to what ends them', () => {
    const { text, html } = noticeMail(harbour(['crane']), places, stops);
    const reason = 'You get this mail because you made a monitor of "Harbour TV", or chose its mails.';
    const [host, id] = ['https://transcripts.example', 'a'.repeat(32)];
    const ends = [
      reason,
      `Edit this one: ${host}/dashboard/monitors/${id}`,
      `Stop this one: ${host}/v1/mail/stop?link=${id}`,
      `Stop all: ${host}/v1/mail/stop?link=a`,
    ];
    expect(text.endsWith(ends.join('\n'))).toBe(true);
    expect(html).toContain(`${reason.replaceAll('"', '&quot;')}<br><a href=`);
  });

  it('stand below the channel once in a digest, which says what it leaves out', () => {
    const video = { video_id: 'abcdefghijk', title: 'First', published_at: '2026-11-28T23:00:00Z' };
    const videos: EventNotice = {
      ...{ kind: 'new_videos', monitorId: 'a'.repeat(32), title: 'Harbour TV', videos: [video], count: 3 },
    };
    const job: EventNotice = {
      ...{ kind: 'job_ended', status: 'completed', name: 'Lectures', credits: { reserved: 0, charged: 1 } },
      jobId: '0199c3a0-0000-7000-8000-000000000001',
      counts: { total: 1, pending: 0, processing: 0, cached: 0, fetched: 1, error: 0, cancelled: 0 },
    };
    const notices = [job, videos, videos];
    const { subject, text, html } = dailyMail([...notices, harbour(phrases, 4), harbour(['crane'], 5)], 2);
    expect(subject).toBe(
      '"night shift" and 3 more in Talk (Harbour TV) and 3 more: your daily mail of 29 November',
    );
    expect(text).toMatch(
      /^1 of 6 new videos has your words\.\n\nWords\n=====\n\nIn "Harbour TV":\n\nTalk\nRead it: \S+\n\n"night shift":\n\n"/,
    );
    expect(text).toContain('\n\nand 2 more places\n\n"crane":\n\n');
    expect(text).toContain('\n\nAlso there: "ship"\n\n--------------------\n\nTalk\n');
    expect(text).toContain('\n\nand at least 3 more places\n\nOpen the monitor: ');
    expect(text).toContain(
      'New videos\n==========\n\n6 new videos in "Harbour TV":\n\nFirst\nWatch it: https://www.youtube.com/watch?v=abcdefghijk\n\n28 November 2026\n\n',
    );
    expect(text).toContain('\n\nand 4 more\n\n');
    expect(text).toContain('Jobs\n====\n\nThe job ');
    expect(text).toContain('\n\nAnd 2 more events, for which this mail has no room.');
    expect(html.match(/<h2>[^<]*/g)).toEqual(['<h2>Words', '<h2>New videos', '<h2>Jobs']);
  });

  it('lead to the second on our reading page, by the clock', () => {
    const { text } = noticeMail(matchOf('x'), places);
    expect(text).toContain(
      'Read it at 1:02:05: https://transcripts.example/dashboard/read?video=abcdefghijk&at=3725&words=x',
    );
  });

  it('say that a machine translated them, and lead to them in their language', () => {
    const said = matchOf('Die Nachtschicht');
    const notice = { ...said, language: 'de', translated: true } as EventNotice;
    const mail = noticeMail(notice, places);
    const daily = dailyMail([notice]);
    expect(mail.subject).toBe(
      '"Die Nachtschicht" and 1 more in Die Nachtschicht (Die Nachtschicht, translated)',
    );
    for (const { text } of [mail, daily]) {
      expect(text).toContain('translated by machine, nobody said these words\n\n"Die Nachtschicht":\n');
      expect(text).toContain('/dashboard/read?video=abcdefghijk&language=de&at=3725&words=Die+Nachtschicht');
    }
  });
});
