import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unknownVideo } from '@tds/contracts';
import request from 'supertest';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;
const ID = 'dQw4w9WgXcQ';

const knowVideo = (facts: object) => {
  harness.fetcher.commands.getVideoFacts = async ({ videoId }) => ({
    video: {
      ...unknownVideo(videoId),
      ...facts,
      ...{ status: 'fetched' as const, error_class: null, fetched_at: null },
    },
    ...{ cached_languages: [], caption_tracks: [], original_language: null, selected: null },
  });
};

beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount();
});
afterAll(() => harness?.stop());

const cite = (search: string) =>
  request(harness.url).get(`/v1/video/citation${search}`).set(account.bearer).buffer(true);

describe('GET /v1/video/citation', () => {
  it.each([
    ['', 'unknown_query_mode'],
    [`?video_id=${ID}&input=${ID}`, 'conflicting_query_modes'],
    ['?input=@handle', 'single_video_required'],
    [`?video_id=${ID}&format=mla`, 'invalid_citation_format'],
    [`?video_id=${ID}&format=`, 'invalid_citation_format'],
    ...['-1', '1.5', '1e3', '91s', '10000000', ''].map((at) => [`?video_id=${ID}&at=${at}`, 'invalid_at']),
    [`?video_id=${ID}&t=91`, 'unknown_parameter'],
  ] as [string, string][])('rejects %s with %s', async (search, code) => {
    const answer = await cite(search);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it.each([
    ['apa', 'text/plain', /^Talks\. \(2024, May 4\)\. Harbours \[Video\]\. YouTube\. \S+&t=91s\n$/],
    ['bibtex', 'application/x-bibtex', /^@misc\{dQw4w9WgXcQ-91,\n {2}author = \{\{Talks\}\},\n/],
    ['ris', 'application/x-research-info-systems', /^TY {2}- VIDEO\r\n[\s\S]*\r\nER {2}- \r\n$/],
    ['csl-json', 'application/vnd.citationstyles.csl+json', /^\[\{"id":"dQw4w9WgXcQ-91","type"/],
  ])('answers %s as %s, for 0 credits', async (format, type, text) => {
    knowVideo({ title: 'Harbours', channel_title: 'Talks', published_at: '2024-05-04', duration: 91 });
    const answer = await cite(`?input=https://youtu.be/${ID}&format=${format}&at=91`).parse(
      (response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks).toString()));
      },
    );
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(answer.body).toMatch(text);
    expect(answer.headers['x-credits-charged']).toBe('0');
  });

  it('cites the whole video in APA by default, also if only its channel is known', async () => {
    knowVideo({ channel_title: 'Talks' });
    expect((await cite(`?video_id=${ID}`)).text).toMatch(
      /^Talks\. \(n\.d\.\)\. \[Video\]\. YouTube\. Retrieved \w+ \d+, \d{4}, from \S+v=dQw4w9WgXcQ\n$/,
    );
    expect((await cite(`?video_id=${ID}&at=9999999`)).status).toBe(200);
  });

  it('rejects a second behind the end, and a video of which it knows nothing', async () => {
    knowVideo({ title: 'Harbours', duration: 90 });
    const late = await cite(`?video_id=${ID}&at=91`);
    expect([late.status, late.body.code, late.body.message]).toEqual([
      ...[400, 'invalid_at', 'The video ends after 90 seconds.'],
    ]);
    knowVideo({});
    const unknown = await cite(`?video_id=${ID}`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'video_not_known']);
  });
});
