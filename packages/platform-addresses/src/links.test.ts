import { describe, expect, it } from '@jest/globals';
import { parsePlatformAddress } from './links.ts';

const ID = 'dQw4w9WgXcQ';
const video = { kind: 'video', id: ID };

describe('an address in what programs have made of it', () => {
  const NAME = '@a_b';
  const escaped = String.raw;

  it.each([
    escaped`https://www.youtube.com/@a\_b`,
    escaped`https://www\.youtube\.com/@a\_b`,
    escaped`https:\/\/www.youtube.com\/@a\_b`,
    escaped`https://www.youtube.com/@a{\_}b`,
    escaped`https://www.youtube.com/@a$\_$b`,
    escaped`https://www.youtube.com/@a\textunderscore{}b`,
    escaped`https://www.youtube.com/@a{\textunderscore}b`,
    escaped`https://www.youtube.com/@a\string_b`,
    escaped`https://www.youtube.com/@a\textbackslash{}\_b`,
    escaped`https://www.youtube.com/@a\u005fb`,
    escaped`https://www.youtube.com/@a\u{5f}b`,
    escaped`https://www.youtube.com/@a\x5Fb`,
    'https://www.youtube.com/@a%5C_b',
    'https://www.youtube.com/@a%255Fb',
    'https://www.youtube.com/@a&lowbar;b',
    'https://www.youtube.com/@a&#95;b',
    escaped`@a\_b`,
    escaped`\url{https://www.youtube.com/@a\_b}`,
    escaped`\href{https://www.youtube.com/@a\_b}{A label}`,
    escaped`[A label](https://www.youtube.com/@a\_b "title")`,
    '<https://www.youtube.com/@a_b|a label>',
    '[[https://www.youtube.com/@a_b][a label]]',
    '`A label <https://www.youtube.com/@a_b>`_',
    'link:https://www.youtube.com/@a_b[a label]',
    '<a href="https://www.youtube.com/@a_b">a label</a>',
    '**https://www.youtube.com/@a_b**',
    'https://urldefense.com/v3/__https://www.youtube.com/*a_b__;QA!!AbC!xyz$',
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__www.youtube.com_-40a-5Fb&d=DwMF&c=x',
  ])('finds the channel that %s means, and no other', (address) => {
    expect(parsePlatformAddress(address)).toEqual({ kind: 'channel_name', name: NAME });
  });

  const watch = `https://www.youtube.com/watch?v=${ID}`;
  const encoded = encodeURIComponent(watch);
  const base64 = Buffer.from(watch).toString('base64');

  it.each([
    `https://www.google.com/url?sa=t&url=${encoded}&ved=x`,
    `https://www.google.it/url?q=${watch.replace('?', '%3F').replace('=', '%3D')}&sa=D`,
    `https://eur02.safelinks.protection.outlook.com/?url=${encoded}&data=x`,
    `https://urldefense.proofpoint.com/v1/url?u=${encoded}&k=x`,
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__www.youtube.com_watch-3Fv-3DdQw4w9WgXcQ&d=x',
    `https://urldefense.com/v3/__${watch}__;!!AbC!xyz$`,
    `https://urldefense.com/v3/__https://www.youtube.com/watch**Av=${ID}__;PyY!!AbC!x$`.replace('**A', '*'),
    `https://secure-web.example/1abc/${encoded}`,
    `https://eu-west-1.protection.example?d=youtube.com&u=${base64}&i=x`,
    `https://www.example.com/ck/a?u=a1${base64}&ntb=1`,
    `https://web.archive.org/web/2020/${watch}`,
  ])('finds the video in the address of a filter: %s', (address) => {
    expect(parsePlatformAddress(address)).toEqual(video);
  });
});
