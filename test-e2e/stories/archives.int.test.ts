import { createHash } from 'node:crypto';
import { get as httpGet } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import JSZip from 'jszip';
import {
  bearer,
  type Customer,
  creditsCharged,
  fileVideo,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

type Row = {
  video_id: string;
  output_file: string | null;
  sha256: string | null;
  error_code: string | null;
  words: number | null;
};
type Progress = { status: string; credits: { charged: number } };

let system: TestSystem;
let customer: Customer;
let jobId: string;
beforeAll(async () => {
  system = await shareTestSystem();
  customer = await signUp(system);
});
afterAll(() => system?.stop());

const videoIds = [fileVideo(31), 'private_001', fileVideo(32), fileVideo(33)];
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const manifestOf = async (): Promise<Row[]> =>
  (await customer.get(`/v1/jobs/${jobId}/manifest`)).json<{ rows: Row[] }>().rows;

/** Every event of a stream until its end, again and again until the job has ended, as an EventSource would read it. */
const follow = async (path: string): Promise<Progress[]> => {
  const text = await new Promise<string>((resolve, reject) => {
    httpGet(`${system.gateway}${path}`, { headers: bearer(customer.key) }, (response) => {
      let read = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        read += piece;
      });
      response.on('end', () => resolve(read)).on('error', reject);
    }).on('error', reject);
  });
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as Progress);
  return events.at(-1)?.status === 'completed' ? events : [...events, ...(await follow(path))];
};

/** The files of a ZIP, by name. */
const download = async (path: string): Promise<Readonly<Record<string, Buffer>>> => {
  const answer = await fetch(`${system.gateway}${path}`, { headers: bearer(customer.key) });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const { files } = await JSZip.loadAsync(await answer.arrayBuffer(), { checkCRC32: true });
  const read = Object.values(files).map(async (file) => [file.name, await file.async('nodebuffer')] as const);
  return Object.fromEntries(await Promise.all(read));
};

describe('a customer with a job', () => {
  it('watches it to its end', async () => {
    const body = { video_ids: videoIds, format: 'md', language: 'en' };
    const begun = await postJson(`${system.gateway}/v1/jobs`, body, bearer(customer.key));
    expect(begun.status).toBe(202);
    jobId = begun.json<{ job: { id: string } }>().job.id;
    const events = await follow(`/v1/jobs/${jobId}/events`);
    expect(events.at(-1)).toMatchObject({ status: 'completed', credits: { charged: 3 } });
  });

  it('finds in the manifest what every file is, and reads files of exactly that', async () => {
    const rows = await manifestOf();
    expect(rows.map(({ video_id }) => video_id)).toEqual(videoIds);
    expect(rows[1]).toMatchObject({
      output_file: null,
      sha256: null,
      words: null,
      error_code: 'video_unavailable',
    });
    for (const { video_id, sha256: digest, output_file, words } of rows.filter(
      ({ output_file: file }) => file,
    )) {
      const file = await customer.get(`/v1/jobs/${jobId}/files/${video_id}`);
      expect([file.status, creditsCharged(file), sha256(Buffer.from(file.text))]).toEqual([200, 0, digest]);
      expect(output_file).toMatch(/^transcripts\/.+\.md$/);
      expect(file.text).toContain(`\n- Words: ${words}\n`);
    }
    const csv = (await customer.get(`/v1/jobs/${jobId}/manifest?format=csv`)).text.split('\r\n');
    expect(csv).toHaveLength(1 + videoIds.length + 1);
  });

  it('downloads them all as one ZIP, whose files are those of its manifest and of the job', async () => {
    const files = await download(`/v1/jobs/${jobId}/archive`);
    const { rows } = JSON.parse(String(files['Source/manifest.json'])) as { rows: Row[] };
    const digests = new Map((await manifestOf()).map((row) => [row.video_id, row.sha256]));
    const delivered = rows.filter(({ output_file: file }) => file !== null);
    expect(delivered).toHaveLength(3);
    for (const { output_file, sha256: digest, video_id } of delivered) {
      expect(sha256(files[output_file ?? ''] as Buffer)).toBe(digest);
      expect(digest).toBe(digests.get(video_id));
    }
    expect(Object.keys(files)).toHaveLength(3 + 3);
  });

  it('gets other formats of the same job in folders, and goes on with a broken download', async () => {
    const path = `/v1/jobs/${jobId}/archive?formats=srt,json`;
    const files = await download(path);
    expect(Object.keys(files).filter((name) => name.endsWith('.srt'))).toHaveLength(3);
    expect(Object.keys(files).filter((name) => name.startsWith('Source/json/transcripts/'))).toHaveLength(3);
    const whole = Buffer.from(
      await (await fetch(`${system.gateway}${path}`, { headers: bearer(customer.key) })).arrayBuffer(),
    );
    const rest = await fetch(`${system.gateway}${path}`, {
      headers: { ...bearer(customer.key), range: 'bytes=100-' },
    });
    expect(rest.status).toBe(206);
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(100))).toBe(true);
  });

  it('shares none of it: to others there is no such job, and a session reads no transcript', async () => {
    const stranger = await signUp(system);
    for (const what of ['manifest', `files/${videoIds[0]}`, 'archive', 'events']) {
      const theirs = await stranger.get(`/v1/jobs/${jobId}/${what}`);
      const unknown = await stranger.get(`/v1/jobs/${customer.keyId}/${what}`);
      const of = ({ status, json }: typeof theirs) => [status, { ...json(), request_id: null }];
      expect(of(theirs)).toEqual(of(unknown));
      expect(theirs.json()).toMatchObject({ code: 'job_not_found' });
    }
    const asSession = (what: string) =>
      fetch(`${system.gateway}/v1/jobs/${jobId}/${what}`, { headers: { cookie: customer.cookie } });
    const statuses = await Promise.all(['manifest', 'archive', `files/${videoIds[0]}`].map(asSession));
    expect(statuses.map(({ status }) => status)).toEqual([200, 403, 403]);
  });
});
