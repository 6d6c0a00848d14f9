import { isolate } from '@tds/contracts/isolated';
import { dashboardPath } from '@tds/contracts/reading-address';
import escapeHtml from 'escape-html';
import { parse } from 'tldts';

/** The page on which the reader goes on: its path on our host, or the address of a video. */
export type Link = { readonly words: string; readonly path: string };
/**
 * How lines look: a heading, a title that is a link to the page of its first link, a quote set off, a note in grey such as a date, a rule
 * before what begins anew.
 */
type Look = 'heading' | 'title' | 'quote' | 'note' | 'rule';
/** Lines of text, how they look, the words of them that were looked for, and the pages that they are about. */
type Lines = {
  readonly text: string;
  readonly look?: Look;
  readonly found?: string;
  readonly links?: readonly Link[];
};
export type Paragraph = string | Lines;
export type MailText = {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  readonly link: Link;
  /** Why the reader gets it; of mails that may be ended. */
  readonly reason?: string;
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

/** The words that were looked for, as `showWords` shows them within a text. */
const markFound = (text: string, found: string | undefined): string => {
  const words = found?.replace(BREAKS, ' ').replace(UNSEEN, '').trim();
  if (!words) return wordsHtml(text);
  const at = new RegExp([...words].map(RegExp.escape).join(`${WORD_JOINER}*`), 'u').exec(text);
  if (at === null) return wordsHtml(text);
  const [before, after] = [text.slice(0, at.index), text.slice(at.index + at[0].length)];
  return `${wordsHtml(before)}<strong>${wordsHtml(at[0])}</strong>${wordsHtml(after)}`;
};

const NAME = 'Transcripts';
/** Read on white and on black. */
const GREY = 'rgb(118,118,118)';
const PAGE =
  'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;line-height:1.5;max-width:36em;margin:0 auto;padding:16px';

export const buildHtml = (...parts: readonly string[]): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta name="color-scheme" content="light dark"></head><body style="${PAGE}"><p style="color:${GREY}"><strong>${NAME}</strong></p>`,
    ...[...parts, '</body></html>'],
  ].join('\n');

const toUrl = ({ path }: Link, { publicUrl, accountId }: Places): string => {
  if (!path.startsWith('/')) return path;
  const isOfAccount = accountId !== undefined && path.startsWith(dashboardPath());
  return `${publicUrl}${path}${isOfAccount ? `${path.includes('?') ? '&' : '?'}account=${accountId}` : ''}`;
};

const isText = (line: string): boolean => line !== '';

const toText = ({ text, look, links = [] }: Lines, places: Places): string => {
  if (look === 'rule') return '-'.repeat(20);
  const underline = look === 'heading' ? text.replaceAll(/./g, '=') : '';
  const addresses = links.map((link) => `${link.words}: ${toUrl(link, places)}`);
  return [look === 'quote' ? `"${text}"` : text, underline, ...addresses].filter(isText).join('\n');
};

const toHtml = ({ text, look, found, links = [] }: Lines, places: Places): string => {
  if (look === 'rule') return `<hr style="border:0;border-top:1px solid ${GREY};margin:24px 0">`;
  const anchor = (link: Link, words = link.words) =>
    `<a href="${escapeHtml(toUrl(link, places))}">${wordsHtml(words)}</a>`;
  const [first] = links;
  if (look === 'title' && first) return `<h3 style="margin:24px 0 0">${anchor(first, text)}</h3>`;
  if (look === 'heading') return `<h2>${wordsHtml(text)}</h2>`;
  const words = markFound(text, found).replaceAll('\n', '<br>');
  const anchors = links.map((link) => anchor(link)).join(' &#183; ');
  if (look === 'quote')
    return `<blockquote style="margin:12px 0;padding:0 0 0 12px;border-left:3px solid ${GREY}">${words}<br>${anchors}</blockquote>`;
  const style = look === 'note' ? ` style="color:${GREY};margin:4px 0"` : '';
  return `<p${style}>${[words, anchors].filter(isText).join('<br>')}</p>`;
};

/** `stop` leads to the page that ends mails of this kind, and `choices` to pages that change less. */
export const buildMail = (
  { subject, paragraphs, link: last, reason }: MailText,
  places: Places,
  stop?: Link,
  choices: readonly Link[] = [],
): Mail => {
  const parts: Lines[] = [
    ...paragraphs.map((part): Lines => (typeof part === 'string' ? { text: part } : part)),
    { text: '', links: [last] },
    ...(stop ? [{ text: reason ?? '', look: 'note', links: [...choices, stop] } as const] : []),
  ];
  return {
    subject,
    text: parts.map((part) => toText(part, places)).join('\n\n'),
    html: buildHtml(...parts.map((part) => toHtml(part, places))),
    ...(stop && { stopUrl: toUrl(stop, places) }),
  };
};
