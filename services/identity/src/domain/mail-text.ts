import { isolate } from '@tds/contracts/isolated';
import { dashboardPath } from '@tds/contracts/reading-address';
import escapeHtml from 'escape-html';
import { parse } from 'tldts';

/** The page on which the reader goes on: its path on our host, or the address of a video. */
export type Link = { readonly words: string; readonly path: string };
/** Lines of text, and the pages that they are about. */
type Lines = { readonly text: string; readonly links?: readonly Link[]; readonly isHeading?: boolean };
export type Paragraph = string | Lines;
export type MailText = {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  readonly link: Link;
};
export type Places = {
  readonly supportEmail: string;
  readonly publicUrl: string;
  /** The account of which the mail is: the browser may be signed in to another one. */
  readonly accountId?: string;
};
export type Mail = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Ends mails of this kind, by one click in the mail program (RFC 8058). */
  readonly stopUrl?: string;
};

/** A host, or the scheme of a program, that is not read as a link, for the same reason. */
export const defangHost = (host: string): string =>
  host.replaceAll('.', '[.]').replace(/^(.*):$/, 'the scheme $1');

/** What is not seen, or turns the text around; of such characters, scripts need only joiners. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cf}\p{Co}\p{Cn}\p{Cs}]+/gu;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

/**
 * Mail programs make no link of what has this beside its dot: it is not seen, and part of no host (RFC 5892). A program may take it for a
 * space or a letter, so it stands on both sides.
 */
const WORD_JOINER = '\u2060';
const separate = (sign: string): string => `${WORD_JOINER}${sign}${WORD_JOINER}`;

const DOTS = '.．｡。․﹒';
/** Dots within a word, and what follows. */
const DOT = new RegExp(`(?<=\\S)[${DOTS}](?=([\\p{L}\\p{M}\\p{Nd}-]{2,63}))`, 'gu');
const MACHINE = new RegExp(`\\p{Nd}{1,3}(?:[${DOTS}]\\p{Nd}{1,3}){3}`, 'gu');
const isEnding = (label: string): boolean =>
  /^xn--/i.test(label) || parse(`a.${label}`, { allowPrivateDomains: false }).isIcann === true;

/** Words in which mail programs find no host, no address and no scheme, and which look as before. */
const guard = (words: string): string =>
  words
    .replace(DOT, (dot, label: string, at: number) =>
      isEnding(label) || /(?:www|ftp)$/i.test(words.slice(Math.max(0, at - 3), at)) ? separate(dot) : dot,
    )
    .replace(MACHINE, (address) => address.replace(/\P{Nd}/gu, separate))
    .replace(/(?<=[a-z]):(?=\S)|(?<=\S)@(?=\S)|\\(?=\\)/gi, separate);

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Words of others on one line, at most so many graphemes of them, with a direction of their own: no mail program makes a link of them. */
export const showWords = (text: string, most = Number.POSITIVE_INFINITY): string => {
  const line = text.replace(BREAKS, ' ').replace(UNSEEN, '').trim();
  const cut = line.length <= most ? undefined : [...graphemes.segment(line)][most];
  return isolate(guard(cut ? `${line.slice(0, cut.index).trimEnd()}…` : line));
};

export const quoteText = (text: string, most?: number): string => `"${showWords(text, most)}"`;

const MAX_NAME_LENGTH = 60;

/** A name that its customer chose. A thief of a key could otherwise mail the holder a link. */
export const quoteName = (name: string): string => quoteText(name, MAX_NAME_LENGTH);

/** Words of others in HTML, in which elements isolate a direction. */
const wordsHtml = (text: string): string =>
  escapeHtml(text).replaceAll('\u2068', '<bdi>').replaceAll('\u2069', '</bdi>');

export const buildHtml = (...parts: readonly string[]): string =>
  ['<!doctype html><html lang="en"><body style="font-family:sans-serif">', ...parts, '</body></html>'].join(
    '\n',
  );

const toUrl = ({ path }: Link, { publicUrl, accountId }: Places): string => {
  if (!path.startsWith('/')) return path;
  const isOfAccount = accountId !== undefined && path.startsWith(dashboardPath());
  return `${publicUrl}${path}${isOfAccount ? `${path.includes('?') ? '&' : '?'}account=${accountId}` : ''}`;
};

/** `stop` leads to the page that ends mails of this kind. */
export const buildMail = ({ subject, paragraphs, link: last }: MailText, places: Places, stop?: Link): Mail => {
  const links = [last, ...(stop ? [stop] : [])].map((link) => ({ text: '', links: [link] }));
  const parts = [...paragraphs, ...links].map(
    (part): Lines => (typeof part === 'string' ? { text: part } : part),
  );
  const toHtml = (link: Link) => `<a href="${escapeHtml(toUrl(link, places))}">${link.words}</a>`;
  const lines = (...all: readonly string[]) => all.filter((line) => line !== '');
  return {
    subject,
    text: parts
      .map(({ text, links = [], isHeading }) =>
        lines(
          text,
          isHeading ? text.replaceAll(/./g, '=') : '',
          ...links.map((link) => `${link.words}: ${toUrl(link, places)}`),
        ).join('\n'),
      )
      .join('\n\n'),
    html: buildHtml(
      ...parts.map(({ text, links = [], isHeading }) => {
        const escaped = wordsHtml(text).replaceAll('\n', '<br>');
        if (isHeading) return `<h2>${escaped}</h2>`;
        return `<p>${lines(escaped, links.map(toHtml).join(' &#183; ')).join('<br>')}</p>`;
      }),
    ),
    ...(stop && { stopUrl: toUrl(stop, places) }),
  };
};
