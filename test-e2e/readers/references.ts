import { readFileSync } from 'node:fs';
import path from 'node:path';
import '@citation-js/plugin-bibtex';
import '@citation-js/plugin-ris';
import { Cite } from '@citation-js/core';
import type { Programs } from './programs.ts';

/** What a program reads of a reference. */
export type ReadReference = {
  readonly key: string | undefined;
  readonly title: string | undefined;
  readonly author: string | undefined;
  /** Empty if the program knows none. */
  readonly kind: string;
};

type CslItem = {
  readonly id?: string;
  readonly title?: string;
  readonly author?: readonly { readonly family?: string; readonly given?: string; readonly literal?: string }[];
  readonly type?: string;
  readonly genre?: string;
};

const fromCsl = ({ id, title, author, type, genre }: CslItem): ReadReference => ({
  ...{ key: id, title, kind: genre ?? type ?? '' },
  author: author
    ?.map(({ literal, family, given }) => literal ?? [family, given].filter(Boolean).join(', '))
    .join('; '),
});

export const readPandoc = async (
  { read, write }: Programs,
  format: string,
  text: string,
): Promise<ReadReference> => {
  const output = await read('pandoc', '-f', format, '-t', 'csljson', write('reference', text));
  return fromCsl(JSON.parse(output)[0]);
};

/** How pandoc cites the key of a reference in a text. */
export const citePandoc = (
  { read, write }: Programs,
  reference: ReadReference,
  file: string,
): Promise<string> => {
  const text = write('text.md', `[@${reference.key}]\n`);
  return read('pandoc', '--citeproc', '-t', 'plain', `--bibliography=${file}`, text);
};

const textOf = (xml: string, pattern: RegExp): string[] =>
  [...xml.matchAll(pattern)].map(([, text = '']) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );

export const readBibutils = async (
  { read, write }: Programs,
  format: 'bib' | 'ris',
  text: string,
): Promise<ReadReference> => {
  const xml = await read(`${format}2xml`, write('reference', text));
  const [title, author, key] = [
    /<title>(.*)<\/title>/g,
    /<namePart[^>]*>(.*)<\/namePart>/g,
    /<mods ID="(.*)">/g,
  ].map((pattern) => textOf(xml, pattern).join(', '));
  return { key, title, author, kind: '' };
};

/** The file that biber writes of a file that it has read. */
export const rewriteBiber = async ({ read, write, dir }: Programs, text: string): Promise<string> => {
  await read('biber', '--tool', '--quiet', '--output-file=rewritten.bib', write('reference.bib', text));
  return readFileSync(path.join(dir, 'rewritten.bib'), 'utf8');
};

export const readCitationJs = (text: string): ReadReference =>
  fromCsl(new Cite(text, { generateGraph: false, strict: true } as never).data[0] as CslItem);
