import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  creditsCharged,
  dashboard,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
let customer: Customer;
let other: Customer;
beforeAll(async () => {
  system = await shareTestSystem();
  [customer, other] = await Promise.all([signUp(system), signUp(system)]);
});
afterAll(() => system?.stop());

const VIDEO = 'manualEn001';
// A free account may ask sixty times a minute.
const PATIENTLY = { everyMs: 1_500 };

type Passage = {
  video_id: string;
  text: string;
  start: number;
  match: { start: number; text: string };
  url: string;
};
type Found = { total: number; results: Passage[] };
type Cue = { start: number; text: string };

const search = async (who: Customer, q: string, more = ''): Promise<Found> => {
  const answer = await who.get(`/v1/library/search?q=${encodeURIComponent(q)}${more}`);
  expect([answer.status, creditsCharged(answer)]).toEqual([200, 0]);
  return answer.json<Found>();
};
const untilFound = (who: Customer, q: string, more = '') =>
  eventually(async () => {
    const found = await search(who, q, more);
    if (found.total === 0) throw new Error('nothing is found yet');
    return found;
  }, PATIENTLY);
const read = (who: Customer) => who.get(`/v1/transcript?video_id=${VIDEO}&format=json`);
/** Three words that one caption says, as a phrase. */
const phraseOf = ({ text }: Cue): string =>
  `"${text
    .replaceAll(/[^\p{L}\s]/gu, ' ')
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .join(' ')}"`;

describe('a search in what a customer has received', () => {
  let quote: string;

  it('finds a sentence of a transcript that was fetched, and leads to its second', async () => {
    const { cues } = (await read(customer)).json<{ cues: Cue[] }>();
    const cue = cues[2] as Cue;
    quote = phraseOf(cue);
    const { results } = await untilFound(customer, quote);
    expect(results[0]).toMatchObject({ video_id: VIDEO });
    expect(results[0]?.start).toBeLessThanOrEqual(cue.start);
    expect(phraseOf(results[0]?.match ?? cue)).toBe(quote);
    expect(results[0]?.match.start).toBe(cue.start);
    expect(results[0]?.url).toBe(`https://www.youtube.com/watch?v=${VIDEO}&t=${Math.floor(cue.start)}s`);
  });

  it('shows nothing of it to others, until they have read it from the cache', async () => {
    expect(await search(other, quote)).toMatchObject({ total: 0 });
    expect(await search(other, quote, `&video_id=${VIDEO}`)).toMatchObject({ total: 0 });
    const again = await read(other);
    expect(again.headers.get('x-cache')).toBe('HIT');
    await untilFound(other, quote);
    expect((await other.get('/v1/library')).json()).toMatchObject({
      total: 1,
      transcripts: [{ video_id: VIDEO, language: 'en' }],
    });
  });

  it('knows the job that delivered it, which takes it along', async () => {
    const answer = await postJson(
      `${system.gateway}/v1/jobs`,
      { video_ids: ['asrOnlyEn01'] },
      bearer(other.key),
    );
    const { id } = answer.json<{ job: { id: string } }>().job;
    const list = () => other.get(`/v1/library?job_id=${id}`);
    await eventually(async () => expect((await list()).json()).toMatchObject({ total: 1 }), PATIENTLY);
    expect(await search(other, quote, `&job_id=${id}`)).toMatchObject({ total: 0 });
    await eventually(async () => {
      const erased = await call(`${system.gateway}/v1/jobs/${id}`, {
        method: 'DELETE',
        headers: bearer(other.key),
      });
      expect(erased.status).toBe(204);
    }, PATIENTLY);
    await eventually(async () => expect((await list()).json()).toMatchObject({ total: 0 }), PATIENTLY);
    expect((await other.get('/v1/library')).json()).toMatchObject({ total: 1 });
  });

  it('gives text to keys only: a session lists', async () => {
    const ask = (path: string) => call(`${system.gateway}${path}`, { headers: dashboard(customer) });
    expect((await ask('/v1/library')).json()).toMatchObject({ total: 1 });
    expect((await ask('/v1/library/search?q=a')).json()).toMatchObject({ code: 'cookie_not_accepted' });
  });

  it('is there for assistants', async () => {
    const params = { name: 'search_library', arguments: { q: quote } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await postJson(`${system.gateway}/v1/mcp`, message, bearer(customer.key));
    const { structuredContent: found } = answer.json<{ result: { structuredContent: object } }>().result;
    expect(found).toMatchObject({ results: [{ video_id: VIDEO }], credits_charged: 0 });
  });
});
