import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@tds/errors';
import { routes } from '../routes/index.ts';
import { parseBody, parseQuery, splitQuery } from './parse-fields.ts';

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'ok';
};

describe('what an error says of a field', () => {
  const ofQuery = (row: Parameters<typeof parseQuery>[0], search: string) =>
    messageOf(() => parseQuery(row, splitQuery(search)));
  const ofBody = (row: { readonly body: Parameters<typeof parseBody>[0] }, body: object) =>
    messageOf(() => parseBody(row.body, JSON.stringify(body)));

  it.each([
    [routes.checkout, 'action=x', 'unknown_query_mode: action is refund.'],
    [
      routes.searchPage,
      '',
      'invalid_search_query: q is missing. q has 1 to 200 characters and no control characters.',
    ],
    [
      routes.getTranscript,
      'video_id=manualEn001&language=English',
      'invalid_language: language is a BCP 47 tag that names a language, such as en, pt-BR or zh-Hans, orig, or up to eight of them, as in de,en. Did you mean en?',
    ],
    [
      routes.getTranscript,
      'video_id=https://youtu.be/manualEn001',
      'invalid_video_id: A video id has exactly 11 characters: letters, digits, - and _. Did you mean manualEn001?',
    ],
    [routes.getUsage, 'resource=x', 'unknown_query_mode: resource is ledger.'],
    [routes.getUsage, 'as_of=x', 'invalid_ledger_offset: as_of is a whole number from 0 on.'],
    [
      routes.getUsage,
      'from=2026-02-29',
      'invalid_usage_date: from and to are days of the calendar, of the form YYYY-MM-DD.',
    ],
    [routes.listVideos, 'url=x&offset=7', 'invalid_offset: offset is 0 or a multiple of 500, at most 20000.'],
    [routes.listVideos, 'url=', 'bulk_input_required: Send a channel, a playlist or a list key.'],
    [routes.listJobs, 'offset=x', 'invalid_offset: offset is a whole number from 0 to 1000000.'],
  ])('of %s: %s', (row, search, message) => {
    expect(ofQuery(row, search)).toBe(message);
  });

  it.each([
    [
      routes.putWebhook,
      { url: 'https://a.example', low_balance_threshold: 10 ** 10 },
      'webhook_threshold_invalid: low_balance_threshold is a whole number from 1 to 1000000000, or null for none.',
    ],
    [
      routes.checkout,
      { reason: 5 },
      'refund_reason_too_long: reason is one text. The reason has at most 500 characters.',
    ],
    [
      routes.createJob,
      { video_ids: ['x'] },
      'invalid_video_id: A video id has exactly 11 characters: letters, digits, - and _. video_ids[0] does not have that form.',
    ],
    [
      routes.createJob,
      { video_ids: ['manualEn001'], metadata: { a: { b: 1 } } },
      'invalid_metadata: metadata.a is one text. metadata has at most 16 pairs of strings: names up to 40 characters, values up to 500.',
    ],
    [routes.checkout, { block: 6 }, 'invalid_credit_block: block is one of 5, 20, 50, 200, 1000.'],
  ])('a wrong field of a body names what it takes, case %#', (row, body, message) => {
    expect(ofBody(row, body)).toBe(message);
  });
});
