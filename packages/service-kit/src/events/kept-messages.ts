import type { Bus } from '../broker/bus.ts';
import { messageIdOf } from '../broker/message-headers.ts';
import { readStream } from '../broker/read-stream.ts';
import { firstKept, type StreamNow } from './stream-now.ts';

/** A message, and where the stream once kept it. */
export type Sent = { readonly id: string; readonly seq: number };

/** Where it is looked for, and by which consumer. */
export type Kept = { readonly stream: StreamNow; readonly reader: string; readonly subject: string };

/** Messages that lie so close to each other are read at once. */
const NEAR = 1_000;

const bySeq = (a: Sent, b: Sent): number => a.seq - b.seq;

const readIds = async (bus: Bus, kept: Kept, from: number, upTo: number): Promise<Map<number, string>> => {
  const { stream, reader, subject } = kept;
  const part = { stream: stream.name, reader, subject, headersOnly: true, from, upTo, most: upTo - from + 1 };
  const messages = await readStream(bus, part);
  return new Map(messages.map(({ seq, headers }) => [seq, messageIdOf(headers)?.toLowerCase() ?? '']));
};

/**
 * Those that the stream does not have any more at the position where it once acknowledged them, although it keeps others
 * that are as old.
 */
export const lostAmong = async <Row extends Sent>(
  bus: Bus,
  kept: Kept,
  rows: readonly Row[],
): Promise<Row[]> => {
  const { firstSeq, lastSeq } = kept.stream;
  const beyond = rows.filter(({ seq }) => seq > lastSeq);
  const missing: Row[] = [];
  let left = rows.filter(({ seq }) => seq >= firstSeq && seq <= lastSeq).toSorted(bySeq);
  for (let first = left[0]; first !== undefined; first = left[0]) {
    const end = first.seq + NEAR;
    const near = left.filter(({ seq }) => seq < end);
    const ids = await readIds(bus, kept, first.seq, near.at(-1)?.seq ?? first.seq);
    missing.push(...near.filter(({ id, seq }) => ids.get(seq) !== id));
    left = left.slice(near.length);
  }
  if (missing.length === 0) return beyond;
  // What it has forgotten since it was looked at has only become old.
  const first = await firstKept(bus, kept.stream.name);
  return [...beyond, ...missing.filter(({ seq }) => seq >= first)];
};
