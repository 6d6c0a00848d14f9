import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assertDelivered, assertRefused, type Expectation, type Expectations } from './expect-answer.ts';

type Address = { readonly input: string; readonly expected: string };
type PastedText = {
  readonly name: string;
  readonly input: string;
  readonly expected: string | readonly string[];
};

const readTable = <T>(folder: string, file: string): T[] =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8'));

const address =
  ({ input, expected }: Address): Expectation =>
  async (player) => {
    const answer = await player.facts(input);
    assert.notEqual(answer.status, 500, answer.text);
    if (expected.startsWith('open')) return;
    if (expected.startsWith('refused')) assertRefused(answer, { status: 400 });
    else assert.equal(assertDelivered(answer).body.video.id, expected);
  };

/** Ids that a text must give: all of a list, or those that a sentence names. */
const text =
  ({ input, expected }: PastedText): Expectation =>
  async (player) => {
    const answer = await player.resolve(input);
    assert.notEqual(answer.status, 500, answer.text);
    if (expected === 'open') return;
    const found: string[] = assertDelivered(answer).body.found.map((row: { video_id: string }) => row.video_id);
    const isExact = typeof expected !== 'string' || expected.startsWith('exactly ');
    const named = typeof expected === 'string' ? (expected.match(/\b[\w-]{11}\b/g) ?? []) : expected;
    const ids = named.filter((id) => /\d/.test(id) || typeof expected !== 'string');
    for (const id of ids) assert.ok(found.includes(id), `${id} is missing in ${found}`);
    if (isExact) assert.deepEqual(found.toSorted(), ids.toSorted());
    // A list says nothing of links that name no video, such as a channel's.
    if (expected.includes('nothing else in notFound')) assert.deepEqual(answer.body.notFound ?? [], []);
  };

/** One expectation for each row of the tables of addresses and of pasted texts beside the cases. */
export const addressTables = (folder: string): Expectations =>
  Object.fromEntries([
    ...readTable<Address>(folder, 'urls.json').map((row) => [`u-urls ${row.input}`, address(row)] as const),
    ...readTable<PastedText>(folder, 'texts.json').map((row) => [`u-texts ${row.name}`, text(row)] as const),
  ]);
