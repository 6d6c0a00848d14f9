import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { remedies } from '@transcript-delivery/sdk/remedies';
import { exitCodes } from './generated/exit-codes.ts';
import { type Reply, terminal } from './test-support/terminal.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});
const given = (replies: Readonly<Record<string, Reply>> = {}) => {
  const made = terminal(replies);
  open.push(made);
  return made;
};

const envelope = (errorClass: string, code: string) => ({
  ok: false,
  errorClass,
  code,
  message: 'It failed.',
  retryable: false,
  docs_url: 'https://api.test/docs/errors',
  request_id: 'request-1',
});
const transcript = {
  ok: true,
  format: 'clean',
  text: 'First line.\nSecond line.\n',
  language: { requested: 'orig', delivered: 'en', fallback: false, translation: 'not_requested' },
};
describe('transcripts transcript', () => {
  it('prints the text alone, and nothing on stderr', async () => {
    const { type, sent } = given({ 'GET /v1/transcript': { body: transcript } });
    expect(await type('transcript manualEn001 --language orig,es --no-fallback')).toEqual({
      code: 0,
      out: 'First line.\nSecond line.\n',
      err: '',
    });
    expect(sent[0]?.query).toBe('?video_id=manualEn001&format=clean&language=orig%2Ces&fallback=false');
  });

  it('asks for the language that is spoken if none is chosen, and sends no default for fallback', async () => {
    const { type, sent } = given({ 'GET /v1/transcript': { body: transcript } });
    await type('transcript manualEn001');
    expect(sent[0]?.query).toBe('?video_id=manualEn001&format=clean&language=orig');
  });

  it.each([
    [{ requested: 'en', translation: 'served' }, 'en, translated by machine\n'],
    [{ requested: 'fr', fallback: true, translation: 'unavailable' }, 'en: fr is not there\n'],
    [{ kind: 'manual', fallback: true, translation: 'unavailable' }, "en: the author's captions\n"],
    [
      { kind: 'asr', fallback: true, translation: 'unavailable' },
      'en: the platform names no spoken language\n',
    ],
  ])('says on stderr that %j is not what is said in the video', async (language, said) => {
    const body = { ...transcript, language: { ...transcript.language, ...language } };
    const { type } = given({ 'GET /v1/transcript': { body } });
    expect(await type('transcript manualEn001')).toMatchObject({ code: 0, out: transcript.text, err: said });
    expect((await type('--json transcript manualEn001')).err).toBe('');
  });

  it('prints the times of words, which only json has', async () => {
    const cues = [{ start: 0, duration: 1, text: 'a', words: [{ start: 0, text: 'a' }] }];
    const { type, sent } = given({
      'GET /v1/transcript': { body: { ...transcript, format: 'json', text: undefined, cues } },
    });
    expect(JSON.parse((await type('transcript manualEn001 --format json --words')).out)).toEqual(cues);
    expect(sent[0]?.query).toBe('?video_id=manualEn001&format=json&language=orig&words=true');
  });

  it('takes an address, which the service reads', async () => {
    const { type, sent } = given({ 'GET /v1/transcript': { body: transcript } });
    await type('transcript https://youtu.be/manualEn001');
    expect(sent[0]?.query).toContain('input=https%3A%2F%2Fyoutu.be%2FmanualEn001');
  });

  it('tells a person at a terminal what it cost', async () => {
    const headers = { 'x-credits-charged': '1', 'x-credits-balance': '99' };
    const { type } = given({ 'GET /v1/transcript': { body: Response.json(transcript, { headers }) } });
    const { err } = await type('transcript manualEn001', { isTTY: true });
    expect(err).toBe('1 credit charged, 99 left\n');
  });

  it('prints one JSON value with --json, wherever it stands', async () => {
    for (const words of ['--json transcript manualEn001', 'transcript manualEn001 --json']) {
      const { type, sent } = given({ 'GET /v1/transcript': { body: transcript } });
      const { out } = await type(words);
      expect(JSON.parse(out)).toMatchObject(transcript);
      expect(JSON.parse(out).meta).toHaveProperty('charged');
      expect(sent[0]?.query).toContain('format=json');
    }
  });

  it('prints passages as JSON, of a size that may be chosen', async () => {
    const passages = [{ start: 0, end: 2, text: 'One.', url: 'https://a.test' }];
    const body = { ...transcript, text: undefined, format: 'json', cues: [], passages };
    const { type, sent } = given({ 'GET /v1/transcript': { body } });
    expect(JSON.parse((await type('transcript manualEn001 --passages')).out)).toEqual(passages);
    await type('transcript manualEn001 --passages 500');
    expect(sent.map(({ query }) => query)).toEqual([
      '?video_id=manualEn001&format=json&language=orig&passages=true',
      '?video_id=manualEn001&format=json&language=orig&passages=true&passage_characters=500',
    ]);
  });

  it('writes a file, and names it', async () => {
    const { type, home } = given({ 'GET /v1/transcript': { body: transcript } });
    const file = path.join(home, 'a.txt');
    expect((await type(`transcript manualEn001 -o ${file}`)).out).toBe(`${file}\n`);
    expect(readFileSync(file, 'utf8')).toBe(transcript.text);
  });

  it('prints no control character of a stranger', async () => {
    const text = 'A\u001b]0;owned\u0007 title\u009b31m\n';
    const { type } = given({ 'GET /v1/transcript': { body: { ...transcript, text } } });
    expect((await type('transcript manualEn001')).out).toBe('A]0;owned title31m\n');
  });
});

describe('what strangers wrote', () => {
  const title = 'A\u202e\u2066b\u009b31m\u{e0041}\u200d\u2028c';

  it('turns and hides no text of a terminal', async () => {
    const { type } = given({ 'GET /v1/transcript': { body: { ...transcript, text: title } } });
    expect((await type('transcript manualEn001')).out).toBe('Ab31m\u200dc\n');
  });

  it('is escaped with --json, and the same value', async () => {
    const { type } = given({ 'GET /v1/transcript': { body: { ...transcript, text: title } } });
    const { out } = await type('transcript manualEn001 --json');
    expect(out).toContain('A\\u202e\\u2066b\\u009b31m\\udb40\\udc41\u200d\\u2028c');
    expect(JSON.parse(out).text).toBe(title);
  });
});

describe('an error', () => {
  it.each(Object.entries(exitCodes))('of the class %s ends with %i', async (errorClass, exitCode) => {
    const { type } = given({ 'GET /v1/transcript': { status: 400, body: envelope(errorClass, 'a_code') } });
    expect((await type('transcript manualEn001')).code).toBe(exitCode);
  });

  it('is a sentence with what to do, its code, request and page on stderr', async () => {
    const body = envelope('NoCaptions', 'no_captions');
    const { type } = given({ 'GET /v1/transcript': { status: 404, body } });
    const { out, err } = await type('transcript manualEn001');
    expect(out).toBe('');
    expect(err).toBe(
      `It failed.\n${remedies.no_captions}\n  no_captions, request request-1\n  https://api.test/docs/errors\n`,
    );
  });

  it('is the envelope on stdout with --json', async () => {
    const body = envelope('NoCaptions', 'no_captions');
    const { type } = given({ 'GET /v1/transcript': { status: 404, body } });
    const { out, err } = await type('transcript manualEn001 --json');
    expect([JSON.parse(out), err]).toEqual([body, '']);
  });

  it('of an unknown word ends with 2, and names the nearest command', async () => {
    const { code, err } = await given().type('trnscript');
    expect(code).toBe(2);
    expect(err).toContain('Did you mean transcript?');
  });

  it('of an unknown format ends with 2, before a request', async () => {
    const { type, sent } = given();
    expect((await type('transcript manualEn001 --format pdf')).code).toBe(2);
    expect(sent).toEqual([]);
  });

  it('of a number that is none ends with 2, before a request', async () => {
    const { type, sent } = given();
    for (const words of ['jobs list --limit few', 'search a --pages -1', 'webhooks listen --port 1e3'])
      expect((await type(words)).code).toBe(2);
    expect(sent).toEqual([]);
  });

  it('of an address that is none ends with 2, before a request', async () => {
    const { type, sent } = given();
    const { code, err } = await type('keys list', { env: { TRANSCRIPTS_BASE_URL: 'api.example.com' } });
    expect([code, err, sent]).toEqual([2, expect.stringContaining('https://api.example.com?'), []]);
  });

  it('of a missing key ends with 3, and says how to sign in', async () => {
    const { code, err } = await given().type('keys list', { env: { TRANSCRIPTS_API_KEY: undefined } });
    expect([code, err]).toEqual([3, expect.stringContaining('transcripts login')]);
  });
});

describe('transcripts login', () => {
  const account = {
    'GET /v1/account': { body: { ok: true, account: { email: 'a@example.com' }, credits: {} } },
  };
  const signedOut = { TRANSCRIPTS_API_KEY: undefined, TRANSCRIPTS_BASE_URL: undefined };

  it('keeps the key of standard input in a file of its owner, and uses it', async () => {
    const { type, sent, home } = given(account);
    const typed = await type('login --base-url https://api.test', {
      stdin: 'svc_live_mine\n',
      env: signedOut,
    });
    expect([typed.code, typed.out]).toEqual([0, expect.stringContaining('a@example.com')]);
    expect(typed.out + typed.err).not.toContain('svc_live_mine');
    const file = path.join(home, 'transcripts/config.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    await type('login', {
      stdin: 'svc_live_other',
      env: { ...signedOut, TRANSCRIPTS_BASE_URL: 'https://api.test' },
    });
    expect(sent.map(({ key }) => key)).toEqual(['Bearer svc_live_mine', 'Bearer svc_live_other']);
  });

  it('keeps neither of two keys', async () => {
    const { type, sent } = given(account);
    const { code, err } = await type('login', { stdin: 'svc_live_new' });
    expect([code, err, sent]).toEqual([2, expect.stringContaining('TRANSCRIPTS_API_KEY is set'), []]);
  });

  it('narrows the rights of a file that was there before', async () => {
    const { type, home } = given(account);
    await type('login');
    const file = path.join(home, 'transcripts/config.json');
    writeFileSync(file, '{}');
    chmodSync(file, 0o644);
    await type('login');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps no key that the service refuses', async () => {
    const refused = { 'GET /v1/account': { status: 403, body: envelope('Forbidden', 'invalid_api_key') } };
    const { type, home } = given(refused);
    expect(
      (await type('login', { stdin: 'svc_live_wrong', env: { TRANSCRIPTS_API_KEY: undefined } })).code,
    ).toBe(3);
    expect(() => statSync(path.join(home, 'transcripts/config.json'))).toThrow('ENOENT');
  });

  it('is undone by logout, which says that the key of the environment is still used', async () => {
    const { type, home } = given(account);
    await type('login');
    expect((await type('logout')).out).toContain('TRANSCRIPTS_API_KEY is still set');
    expect(() => statSync(path.join(home, 'transcripts/config.json'))).toThrow('ENOENT');
  });
});
