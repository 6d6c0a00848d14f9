import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DownloadError, type Job, Transcripts } from './index.ts';

type Act = (request: IncomingMessage, response: ServerResponse) => void;

const bytes = randomBytes(300_000);
const digestOf = (content: Buffer) => createHash('sha256').update(content).digest();
const folder = mkdtempSync(path.join(tmpdir(), 'sdk-archive-'));
const to = path.join(folder, 'talks.zip');
const seen: { url: string; range: string | undefined; ifRange: string | undefined }[] = [];
let acts: Act[] = [];
let server: Server;
let client: Transcripts;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '' } = request;
    if (!/\/(?:archive|document)/.test(url))
      return void response.end(JSON.stringify({ ok: true, job: { id: 'job-1', status: 'completed' } }));
    const { range, 'if-range': ifRange } = request.headers;
    seen.push({ url, range, ifRange: String(ifRange) });
    (acts.length > 1 ? acts.shift() : acts[0])?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = new Transcripts({
    apiKey: 'svc_live_test',
    baseUrl: `http://127.0.0.1:${port}`,
    timeoutMs: 2_000,
  });
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  seen.length = 0;
  for (const file of readdirSync(folder)) rmSync(path.join(folder, file));
});

const digestHeader = (content: Buffer) => `sha-256=:${digestOf(content).toString('base64')}:`;
const answerZip = (response: ServerResponse, from: number, etag = '"one"', digest = digestHeader(bytes)) =>
  response.writeHead(from === 0 ? 200 : 206, {
    'content-type': 'application/zip',
    'content-length': bytes.length - from,
    etag,
    'repr-digest': digest,
    ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
  });
const fromOf = ({ headers }: IncomingMessage) => Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
const whole: Act = (request, response) =>
  void answerZip(response, fromOf(request)).end(bytes.subarray(fromOf(request)));
const savedBytes = () =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
/** Sends that many bytes of the rest, and resets once they are saved: a reset overtakes what is not read yet. */
const cutAfter =
  (count: number): Act =>
  (request, response) => {
    const from = fromOf(request);
    answerZip(response, from).write(bytes.subarray(from, from + count));
    const timer = setInterval(() => {
      if (savedBytes() < from + count) return;
      clearInterval(timer);
      response.socket?.resetAndDestroy();
    }, 10);
  };
const job = (): Promise<Job> => client.jobs.get('job-1');
const save = async (given: Act[], options = {}) => {
  acts = given;
  return (await job()).archive({ to, ...options });
};

describe('an archive that is saved', () => {
  it('has the bytes of the digest under the name that was asked for, and nothing beside it', async () => {
    const files = await save([whole]);
    expect(files).toEqual([{ path: to, bytes: bytes.length, sha256: digestOf(bytes).toString('hex') }]);
    expect(readFileSync(to).equals(bytes)).toBe(true);
    expect(readdirSync(folder)).toEqual(['talks.zip']);
  });

  it('goes on by range after each cut, with the same ETag', async () => {
    await save([cutAfter(100_000), cutAfter(50_000), whole]);
    expect(readFileSync(to).equals(bytes)).toBe(true);
    expect(seen.map(({ range }) => range)).toEqual([undefined, 'bytes=100000-', 'bytes=150000-']);
    expect(seen.slice(1).map(({ ifRange }) => ifRange)).toEqual(['"one"', '"one"']);
  });

  it('goes on by range if nothing comes for the time of an attempt', async () => {
    const stalls: Act = (request, response) =>
      void answerZip(response, fromOf(request)).write(bytes.subarray(0, 10));
    await save([stalls, whole], { timeoutMs: 300 });
    expect(readFileSync(to).equals(bytes)).toBe(true);
    expect(seen[1]?.range).toBe('bytes=10-');
  });

  it('fails if it breaks off five times without a byte', async () => {
    const error = await save([cutAfter(0)]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ConnectionError', retryable: true });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('fails if its bytes are not those of the digest, and leaves no file', async () => {
    const wrong: Act = (_request, response) =>
      void answerZip(response, 0, '"one"', digestHeader(Buffer.from('other'))).end(bytes);
    await expect(save([wrong])).rejects.toThrow(DownloadError);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('fails if another archive has taken its place after a cut', async () => {
    const other: Act = (_request, response) => void answerZip(response, 0, '"two"').end(bytes);
    await expect(save([cutAfter(100), other])).rejects.toThrow('was replaced');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is waited for while it is built, and built again only once', async () => {
    const queued: Act = (_request, response) =>
      void response
        .writeHead(202, { 'retry-after': '0', 'content-type': 'application/json' })
        .end('{"ok":true}');
    await save([queued, queued, whole], { rebuild: true, formats: ['srt', 'md'] });
    expect(seen.map(({ url }) => url.split('?')[1])).toEqual([
      'formats=srt%2Cmd&rebuild=true',
      'formats=srt%2Cmd',
      'formats=srt%2Cmd',
    ]);
  });

  it('of several parts becomes a file for each', async () => {
    const index: Act = (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ok: true, archive_id: 'archive-1', parts: [{ part: 1 }, { part: 2 }] }));
    const files = await save([index, whole, cutAfter(10), whole]);
    expect(files.map(({ path: file }) => path.basename(file))).toEqual(['talks-1.zip', 'talks-2.zip']);
    for (const file of files) expect(readFileSync(file.path).equals(bytes)).toBe(true);
    expect(seen.slice(1).map(({ url }) => url.split('?')[1])).toEqual([
      'part=1&archive_id=archive-1',
      'part=2&archive_id=archive-1',
      'part=2&archive_id=archive-1',
    ]);
  });

  it('ends with signal, and leaves no file', async () => {
    const given = new AbortController();
    const stalls: Act = (_request, response) => {
      answerZip(response, 0).write(bytes.subarray(0, 10));
      setTimeout(() => given.abort(new Error('the caller left')), 100);
    };
    await expect(save([stalls], { signal: given.signal })).rejects.toThrow('the caller left');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('an archive as streams', () => {
  it('is whole after a cut, and checked at its end', async () => {
    acts = [cutAfter(1_000), whole];
    for await (const part of (await job()).archiveParts()) {
      expect([part.part, part.of, part.bytes]).toEqual([1, 1, bytes.length]);
      const read = await new Response(part.stream()).arrayBuffer();
      expect(Buffer.from(read).equals(bytes)).toBe(true);
    }
  });

  it('fails at its end if its bytes are not those of the digest', async () => {
    acts = [
      (_request, response) =>
        void answerZip(response, 0, '"one"', digestHeader(Buffer.from('other'))).end(bytes),
    ];
    const parts = (await job()).archiveParts();
    const { value: part } = await parts.next();
    await expect(new Response(part?.stream()).arrayBuffer()).rejects.toThrow(DownloadError);
  });
});

describe('a document', () => {
  it('is saved as an archive is: asked for again until it is built, and again after a cut', async () => {
    const queued: Act = (_request, response) =>
      void response
        .writeHead(202, { 'content-type': 'application/json', 'retry-after': '0' })
        .end(JSON.stringify({ ok: true, status: 'queued' }));
    acts = [queued, cutAfter(1_000), whole];
    seen.splice(0);
    const file = path.join(folder, 'talks.md');
    await (await job()).document({ to: file, format: 'md', maxWords: 5_000 });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(seen.map(({ url }) => url)).toEqual(
      Array(3).fill('/v1/jobs/job-1/document?format=md&max_words=5000'),
    );
    rmSync(file);
  });
});
