import { describe, expect, it } from '@jest/globals';
import type { EventNotice, Notice } from '@tds/contracts';
import { dailyMail } from './event-mails.ts';
import { quoteName, quoteText } from './mail-text.ts';
import { codeMail, noticeMail } from './mails.ts';

describe('codeMail', () => {
  const mail = codeMail('012345');

  it('has the code on a line of its own and no other number of six digits', () => {
    expect(mail.text.split('\n')).toContain('012345');
    expect(mail.text.match(/\b\d{6}\b/g)).toEqual(['012345']);
    expect(mail.html.match(/\b\d{6}\b/g)).toEqual(['012345']);
  });

  it('does not have the code in the subject', () => {
    expect(mail.subject).not.toMatch(/\d/);
  });
});

describe('every notice', () => {
  const places = { supportEmail: 'help@transcripts.example', publicUrl: 'https://transcripts.example' };
  const since = '2026-01-15T12:00:00.000Z';
  const name = 'Go to http://example.com\u202e www。example。com';
  const counts = { total: 1, pending: 0, processing: 0, cached: 0, fetched: 1, error: 0, cancelled: 0 };
  const job = {
    jobId: '0199c3a0-0000-7000-8000-000000000001',
    name,
    counts,
    credits: { reserved: 0, charged: 1 },
  };
  const notices: Notice[] = [
    { kind: 'webhook_disabled', host: 'example.com' },
    { kind: 'webhook_changed', host: 'example.com', changes: ['created', 'removed'] },
    { kind: 'key_made', name, prefix: 'svc_live_abc' },
    { kind: 'more_keys_made', since },
    { kind: 'job_ended', status: 'completed', ...job },
    { kind: 'more_jobs_ended', since },
    { kind: 'tier_fell', keys: [{ name, prefix: 'svc_live_abc', endsAt: since }] },
    { kind: 'account_frozen', reason: 'operator' },
    { kind: 'account_active' },
    { kind: 'account_closed' },
  ];

  it.each(notices)(
    '$kind has one link, to our pages, speaks no HTTP, and shows no link of a caller',
    (notice) => {
      const { text, html } = noticeMail(notice, places);
      expect(text.match(/https?:\/\//g)).toHaveLength(1);
      expect(html).toMatch(/<a href="https:\/\/transcripts\.example\/(dashboard|terms)/);
      expect(text).not.toMatch(/\b(GET|PUT|POST|PATCH|DELETE)\b|\/v1\//);
      expect(text + html).not.toMatch(/evil[.。]|example[.。]com|\u202e/);
    },
  );
});

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
  const passage = { start: 3_725, url: 'https://youtu.be/abcdefghijk?t=3725' };
  const matchOf = (text: string): EventNotice => ({
    ...{ kind: 'words_found', monitorId: 'a'.repeat(32), title: text, query: text },
    ...{ language: 'orig', translated: false },
    video: { video_id: 'abcdefghijk', title: text, published_at: null },
    passages: [{ ...passage, text }],
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
    text.replace(/https:\/\/transcripts\.example\S*/g, '').replaceAll(':\n', '\n');

  it.each(hostile)('are text without a link, in the text and in the HTML: %j', (text) => {
    for (const mail of [
      noticeMail(matchOf(text), places),
      dailyMail({ notices: [matchOf(text)], more: 0 }, places, '/v1/mail/stop?link=a'),
    ]) {
      expect(withoutOurs(mail.text)).not.toMatch(found);
      expect(mail.subject).not.toMatch(/[\r\n\p{Cf}\p{Cc}]/u);
      expect(
        [...mail.html.matchAll(/href="([^"]*)"/g)].every(([, url]) =>
          url?.startsWith('https://transcripts.example/'),
        ),
      ).toBe(true);
      expect(mail.html.match(/<(?!\/?(?:p|a|br|bdi|body|html|!doctype)\b)/gi)).toBeNull();
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
    expect(mail.text).toContain('in "\u206895 الخبز & friends\u2069"');
    expect(mail.html).toContain('in &#34;<bdi>95 الخبز &#38; friends</bdi>&#34;');
    expect(quoteText('د.أحمد')).toBe('"\u2068د.أحمد\u2069"');
  });

  it('are cut between graphemes', () => {
    expect(quoteName('👩‍👧'.repeat(99))).toBe(`"${'👩‍👧'.repeat(60)}…"`);
  });

  it('cost little, however long they are', () => {
    const began = performance.now();
    for (const piece of ['.', '1.', '@', 'a:', ' ', '\u202e']) quoteText(piece.repeat(20_000));
    expect(performance.now() - began).toBeLessThan(2_000);
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
    const daily = dailyMail({ notices: [notice], more: 0 }, places, '/v1/mail/stop?link=a');
    expect(mail.subject).toBe('Your words are in the translation of a new video');
    for (const { text } of [mail, daily]) {
      expect(text).toContain(
        '"Die Nachtschicht" was not said, but is in the translation by machine of "Die Nachtschicht"',
      );
      expect(text).toContain('\n"Die Nachtschicht" (translated by machine)\n');
      expect(text).toContain('/dashboard/read?video=abcdefghijk&language=de&at=3725&words=Die+Nachtschicht');
    }
  });
});
