import type { Mutant } from './mutate.ts';

const TAG = /<[^>]+>/g;
const TEXT = />([^<>]*[^<>\s][^<>]*)</g;
const ATTRIBUTE = /="([^"]*)"/g;

const changes: Readonly<Record<string, string>> = {
  dropped: '',
  'made nonsense': '\u0000 &#0; &unknown; ]]> \ufffe',
  'made endless': 'x'.repeat(20_000),
  'made another id': 'UCother',
  'made a number': '7',
};

const DEEP = 100;
const tags: Readonly<Record<string, (tag: string) => string>> = {
  'tag dropped': () => '',
  'tag doubled': (tag) => tag + tag,
  'tag buried': (tag) => '<a>'.repeat(DEEP) + tag,
  'tag made a doctype': () => '<!DOCTYPE feed [<!ENTITY a "x">]>',
  'tag cut': (tag) => tag.slice(0, -1),
};

const spliced = (body: string, from: number, length: number, text: string): string =>
  body.slice(0, from) + text + body.slice(from + length);

/** The whole elements of a document that hold no other. */
const LEAF = /<([\w:]+)[^<>]*>[^<>]*<\/\1>/g;

/** Every tag spoilt, every text and attribute replaced, every leaf dropped; the document cut off at many places. */
export function* generateXmlMutants(body: string): Generator<Mutant> {
  for (const { index, 0: tag } of body.matchAll(TAG)) {
    for (const [name, change] of Object.entries(tags)) {
      yield { name: `${tag} at ${index}: ${name}`, body: spliced(body, index, tag.length, change(tag)) };
    }
  }
  for (const { index, 0: leaf } of body.matchAll(LEAF)) {
    yield {
      name: `${leaf.slice(0, 30)} at ${index}: leaf dropped`,
      body: spliced(body, index, leaf.length, ''),
    };
  }
  for (const pattern of [TEXT, ATTRIBUTE]) {
    for (const { index, 0: whole, 1: inner = '' } of body.matchAll(pattern)) {
      const from = index + whole.indexOf(inner);
      for (const [name, text] of Object.entries(changes)) {
        yield {
          name: `${inner.slice(0, 30)} at ${index}: ${name}`,
          body: spliced(body, from, inner.length, text),
        };
      }
    }
  }
  for (let length = 0; length < body.length - 1; length += 97) {
    yield { name: `cut at ${length}`, body: body.slice(0, length) };
  }
}
