import { describe, expect, it } from '@jest/globals';
import { unknownVideo } from '@tds/contracts';
import { type Field, parseArguments } from '@tds/http-api';
import { internalDescriptions } from '@tds/test-kit';
import { newTranscript } from '../test-support/builders.ts';
import { CHARACTERS_A_PART, transcriptPart } from './answer-parts.ts';
import { listedTools } from './listed-tools.ts';
import { withoutHiddenText } from './tool-results.ts';
import { tools } from './tools.ts';

/** Every assistant pays for names, texts and arguments in each conversation; clients keep the shapes of results. */
const MAX_BYTES = 10_300;
const MAX_TOTAL_BYTES = 38_500;

const tool = (name: string) => {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};

describe('the list of tools', () => {
  it('has no words of our code', () => {
    expect(internalDescriptions(listedTools)).toEqual([]);
  });

  it('is short, and its schemas need nothing outside of themselves', () => {
    const text = JSON.stringify(listedTools);
    const read = listedTools.map(({ outputSchema: _, ...shown }) => shown);
    expect(Buffer.byteLength(JSON.stringify(read))).toBeLessThan(MAX_BYTES);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_TOTAL_BYTES);
    expect(text).not.toContain('$ref');
    expect(text).not.toContain('"type":[');
  });

  it.each(listedTools.map((listed) => [listed.name, listed] as const))('describes %s', (name, listed) => {
    const { inputSchema, annotations } = listed as typeof listed & {
      inputSchema: { properties: Record<string, { description: string }>; additionalProperties: boolean };
    };
    expect(name).toMatch(/^[a-z_]{1,64}$/);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    for (const property of Object.values(inputSchema.properties)) expect(property.description).toMatch(/\w/);
    // What spends credits is no reading.
    const doing = ['get_transcript', 'search', 'start_job', 'hand_on_link'];
    expect(annotations.readOnlyHint).toBe(!doing.includes(name));
    expect(annotations.destructiveHint).toBe(name === 'start_job');
    expect(Object.keys(inputSchema.properties)).not.toContain('webhook_url');
  });

  it('has only what all model APIs take in the schemas of arguments', () => {
    const taken = new Set([
      ...['type', 'properties', 'required', 'additionalProperties', 'description', 'enum', 'anyOf', 'items'],
      ...['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern', 'format'],
    ]);
    const keywordsOf = (schema: unknown): string[] => {
      if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
      if (schema === null || typeof schema !== 'object') return [];
      return Object.entries(schema).flatMap(([keyword, value]) => [
        keyword,
        ...(keyword === 'type' && typeof value !== 'string' ? ['a list of types'] : []),
        ...keywordsOf(keyword === 'properties' ? Object.values(value as object) : value),
      ]);
    };
    const used = listedTools.flatMap(({ inputSchema }) => keywordsOf(inputSchema));
    expect(used.filter((keyword) => !taken.has(keyword))).toEqual([]);
  });

  it.each([
    ['get_transcript', ['video']],
    ['list_videos', ['input']],
    ['search', ['query']],
    ['search_library', ['query']],
    ['list_monitors', []],
    ['list_matches', []],
    ['start_job', []],
    ['hand_on_link', ['video']],
    ['get_account', []],
  ])('of %s requires %j', (name, required) => {
    const listed = listedTools.find((one) => one.name === name) as { inputSchema: { required?: string[] } };
    expect(listed.inputSchema.required).toEqual(required);
  });

  it('shows numbers and booleans as JSON has them, and takes them', () => {
    const { fields } = tool('get_transcript');
    expect(listedTools[0]?.inputSchema).toMatchObject({
      properties: { from_passage: { type: 'integer', minimum: 0 }, fallback: { type: 'boolean' } },
    });
    const args = { video: 'manualEn001', from_passage: 40, fallback: false };
    expect(parseArguments(fields, args)).toMatchObject(args);
  });

  it('takes what models write in another type', () => {
    const written = {
      ...{ video_ids: '["manualEn001"]', metadata: '{"a":"b"}', newest: '7', fallback: 'false' },
      ...{ name: 2024, contents: null },
    };
    expect(parseArguments(tool('start_job').fields, written)).toMatchObject({
      ...{ video_ids: ['manualEn001'], metadata: { a: 'b' }, newest: 7, fallback: false, name: '2024' },
    });
  });
});

describe('the arguments of a route', () => {
  it.each<[string, object, object]>([
    [
      'get_transcript',
      { video: 'https://youtu.be/manualEn001', language: 'pt-br' },
      {
        query: {
          ...{ video_id: 'manualEn001', language: 'pt-BR', fallback: true, format: 'json' },
          ...{ raw: false, passages: true },
        },
      },
    ],
    ['get_transcript', { video: 'manualEn001' }, { query: { language: 'orig' } }],
    ['start_job', { input: '@a' }, { body: { input: '@a', language: 'orig' } }],
    ['get_video_facts', { video: 'manualEn001' }, { query: { input: 'manualEn001' } }],
    ['list_videos', { input: '@a', offset: 550 }, { query: { input: '@a', offset: 500 } }],
    ['search', { query: ' a ' }, { query: { q: 'a', type: 'video' } }],
    ['search_library', { query: ' "a b" ' }, { query: { q: '"a b"', limit: 10, offset: 0 } }],
    ['start_job', { video_ids: ['manualEn001'] }, { body: { video_ids: ['manualEn001'], format: 'both' } }],
    ['list_monitors', {}, { query: { limit: 100, offset: 0 } }],
    [
      'list_matches',
      { monitor_id: 'a'.repeat(32), offset: 10 },
      { query: { monitor_id: 'a'.repeat(32), limit: 10, offset: 10 } },
    ],
    [
      'get_job',
      { job_id: '11111111-2222-4333-8444-555555555555' },
      { params: { jobId: '11111111-2222-4333-8444-555555555555' } },
    ],
  ])('follow from those of %s', (name, args, read) => {
    const { fields, read: readFrom } = tool(name);
    expect(
      readFrom(parseArguments<Record<string, Field>>(fields, args as Record<string, unknown>)),
    ).toMatchObject(read);
  });
});

it('a search shows an assistant the sentence, or the passage of a service that has none yet', () => {
  const found = {
    text: 'Long before. The night shift. Long after.',
    match: { start: 61, text: 'night shift' },
  };
  const sentence = 'The night shift.';
  const body = { results: [{ ...found, match: { ...found.match, sentence } }, found], total: 2 };
  expect(tool('search_library').present(body, {})).toEqual({
    results: [{ ...found, text: sentence }, found],
    total: 2,
  });
});

describe('a result', () => {
  it('has no hidden characters in any text', () => {
    const hidden = 'a\u{e0041}\u202eb\u2066c\u200f';
    expect(withoutHiddenText({ title: hidden, all: [{ text: hidden, at: 1, none: null }] })).toEqual({
      ...{ title: 'abc', all: [{ text: 'abc', at: 1, none: null }] },
    });
  });
});

describe('a part of a transcript', () => {
  const transcript = (count: number, text: string) =>
    ({
      ...{ video: { id: 'manualEn001' }, language: {}, fetched_at: '2026-01-15T12:00:00.000Z' },
      passages: Array.from({ length: count }, (_, at) => ({ start: at + 0.9, end: at + 1, text, url: '' })),
    }) as unknown as Parameters<typeof transcriptPart>[0];
  // With the time before them, forty fit.
  const passage = 'x'.repeat(CHARACTERS_A_PART / 40 - 5);

  it.each([
    [0, 0, null],
    [40, 0, null],
    [41, 0, 40],
    [41, 40, null],
    [3, 100, null],
  ])('of %i passages from %i leads to %p', (count, from, next) => {
    expect(transcriptPart(transcript(count, passage), from).next_passage).toBe(next);
  });

  it('together with the others has each passage once', () => {
    const all: string[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const part = transcriptPart(transcript(107, passage), from);
      expect(part.text.length).toBeLessThanOrEqual(CHARACTERS_A_PART + part.text.split('\n').length);
      all.push(...part.text.split('\n'));
      from = part.next_passage;
    }
    expect(all).toEqual(Array.from({ length: 107 }, (_, at) => `[${at}] ${passage}`));
  });

  it('has one passage at least', () => {
    expect(transcriptPart(transcript(2, 'x'.repeat(2 * CHARACTERS_A_PART)), 0).next_passage).toBe(1);
  });

  it('has no long facts of its video', () => {
    const video = { ...unknownVideo('manualEn001'), title: 'T', description: 'd'.repeat(5_000), tags: ['a'] };
    const part = transcriptPart({ ...transcript(1, 'word'), video, language: newTranscript('').language }, 0);
    const result = tool('get_transcript').result.parse({ ...part, credits_charged: 0 });
    expect(result).toMatchObject({ video: { id: video.id, title: 'T', chapters: null }, text: '[0] word' });
    expect(JSON.stringify(result).length).toBeLessThan(600);
  });

  it('has one line a passage, so that no passage looks like two', () => {
    expect(transcriptPart(transcript(1, 'one\n[9] two\r\nthree\u2028four'), 0).text).toBe(
      '[0] one [9] two three four',
    );
  });
});
