import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { listWithin } from '../ids.ts';
import { languageCodes, unknownVideo, videoDetails } from '../transcript.ts';
import { transcriptFetcher } from './contract.ts';

type Schema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxBytes?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};

/** A UTF-16 unit that is no control character and no half of one takes at most this number of bytes in JSON. */
const BYTES_PER_UNIT = 3;
const NUMBER_BYTES = 24;
const FORMATTED: Readonly<Record<string, number>> = { uuid: 36, 'date-time': 40 };
const EXACT = /^\^\[[^\]]+\]\{(\d+)\}\$$/;

const unitsOf = ({ maxLength, format = '', pattern = '' }: Schema): number =>
  maxLength ?? FORMATTED[format] ?? Number(EXACT.exec(pattern)?.[1] ?? Number.POSITIVE_INFINITY);

/** The most bytes that a value of a JSON schema can take; infinite if something in it has no bound. */
const largestBytes = (schema: Schema, defs = schema.$defs ?? {}): number => {
  const largest = (part: Schema): number => largestBytes(part, defs);
  const named = defs[schema.$ref?.split('/').at(-1) ?? ''];
  if (named) return largest(named);
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return Math.max(...any.map(largest));
  const values = schema.enum ?? ('const' in schema ? [schema.const] : null);
  if (values) return Math.max(...values.map((value) => JSON.stringify(value).length));
  if (schema.maxBytes !== undefined) return schema.maxBytes;
  if (schema.type === 'array') {
    return 2 + (schema.maxItems ?? Number.POSITIVE_INFINITY) * (1 + largest(schema.items ?? {}));
  }
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return fields.reduce((sum, [name, field]) => sum + name.length + 4 + largest(field), 2);
  }
  if (schema.type === 'string') return 2 + unitsOf(schema) * BYTES_PER_UNIT;
  return ['integer', 'number', 'boolean', 'null'].includes(schema.type ?? '')
    ? NUMBER_BYTES
    : Number.POSITIVE_INFINITY;
};

const commands = Object.values(transcriptFetcher.commands);
const QUARTER_OF_THE_BUS = 256 * 1_024;

describe('what the transcript-fetcher answers', () => {
  it.each(commands.map(({ name, reply }) => [name, reply] as const))(
    'to %s is never too large for the bus, whatever the platform or a database said',
    (_name, reply) => {
      expect(largestBytes(z.toJSONSchema(reply, { io: 'output' }) as Schema)).toBeLessThan(QUARTER_OF_THE_BUS);
    },
  );

  it('is cut between characters if it is too long, instead of being rejected', () => {
    const endless = '\u{1F600}'.repeat(1_000_000);
    const video = unknownVideo('dQw4w9WgXcQ');
    const parsed = videoDetails.parse({
      ...video,
      title: `a${endless}`,
      channel_title: `a\u0000\ud800${endless}`,
      description: `a\r\n\tb\u0000${endless}`,
    });
    expect(parsed.title).toBe(`a${'\u{1F600}'.repeat(249)}`);
    expect(parsed.description?.slice(0, 8)).toBe('a \n\tb \u{1F600}');
    expect(parsed.description).toHaveLength(5_000);
    expect(parsed.channel_title?.slice(0, 4)).toBe('a \ufffd\ud83d');
    expect(languageCodes.parse(Array.from({ length: 90_000 }, () => 'en'))).toHaveLength(300);
  });

  it('ends before the first row of a batch that would make it too large', () => {
    const rows = listWithin(z.object({ text: z.string() }), 100);
    const given = ['a', 'b'.repeat(70), 'c'].map((text) => ({ text }));
    expect(rows.parse(given)).toEqual(given.slice(0, 2));
    expect(rows.parse([{ text: 'd'.repeat(100) }])).toEqual([]);
    expect(rows.parse(given.slice(1))).toEqual(given.slice(1));
  });
});
