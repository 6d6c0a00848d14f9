import type { CitationFormat, VideoSummary } from '@tds/contracts';
import { PLATFORM_NAME, videoMomentUrl, videoUrl } from '@tds/platform-addresses';
import { withoutHiddenMarks } from './cues.ts';

type CitationOptions = {
  /** A second of the video; null for all of it. */
  readonly at: number | null;
  /** When the video is looked at; its UTC day is written. */
  readonly accessed: Date;
};

/** A line break, or a mark that turns text around, would change what stands beside it. */
const oneLine = (text: string | null): string =>
  withoutHiddenMarks((text ?? '').replace(/[\p{Cc}\s]+/gu, ' ')).trim();

const CITABLE_ID = /^_?[a-z\d]+(?:[-_][a-z\d]+)*$/i;
/** Pandoc cites no key with a sign at its end, or with two in a row. The colon keeps such keys apart from ids. */
const toKey = (id: string): string => (CITABLE_ID.test(id) ? id : `video:0${id.replaceAll(/[-_]/g, '$&0')}`);

/** Days are YYYY-MM-DD; what is unknown is empty. */
const readFacts = (video: VideoSummary, { at, accessed }: CitationOptions) => ({
  // Two seconds of a video are two entries of a list of references.
  id: at === null ? toKey(video.id) : `${toKey(video.id)}-${at}`,
  channel: oneLine(video.channel_title),
  title: oneLine(video.title),
  day: video.published_at ?? '',
  accessed: accessed.toISOString().slice(0, 10),
  url: at === null ? videoUrl(video.id) : videoMomentUrl(video.id, at),
});
type Facts = ReturnType<typeof readFacts>;

const toLines = (fields: Readonly<Record<string, string>>, toLine: (name: string, value: string) => string) =>
  Object.entries(fields).flatMap(([name, value]) => (value === '' ? [] : toLine(name, value)));

const monthAndDay = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
const nameDay = (day: string): string => monthAndDay.format(new Date(day));
const yearOf = (day: string): string => day.slice(0, 4);

const endSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/**
 * APA 7, section 10.12, without marks of direction, which a thesis would keep. Without a channel the title stands first, and without a date
 * the day of access is named.
 */
const writeApa = ({ channel, title, day, accessed, url }: Facts): string => {
  const [first = '', second] = [channel, title].filter(Boolean);
  return [
    endSentence(first),
    day ? `(${yearOf(day)}, ${nameDay(day)}).` : '(n.d.).',
    ...(second ? [second] : []),
    `[Video]. ${PLATFORM_NAME}.`,
    day ? url : `Retrieved ${nameDay(accessed)}, ${yearOf(accessed)}, from ${url}`,
  ].join(' ');
};

const texNames: Readonly<Record<string, string>> = {
  ...{ '\\': 'backslash', '{': 'braceleft', '}': 'braceright' },
  ...{ '~': 'asciitilde', '^': 'asciicircum' },
};

/** BibTeX counts braces also behind a backslash, so one without a partner needs a name. Pandoc does not know these names. */
const listPairedBraces = (text: string): ReadonlySet<number> => {
  const opened: number[] = [];
  const paired = new Set<number>();
  for (const { 0: sign, index } of text.matchAll(/[{}]/g)) {
    const partner = sign === '{' ? undefined : opened.pop();
    if (sign === '{') opened.push(index);
    if (partner !== undefined) paired.add(partner).add(index);
  }
  return paired;
};

/**
 * In braces of its own, which keep names whole and capitals as they are. More readers know `<` and `>` than their names. Two hyphens are a
 * dash, if nothing stands between them.
 */
const toTex = (text: string): string => {
  const paired = listPairedBraces(text);
  const toSign = (sign: string, at: number): string => {
    if (sign === '-') return '{}-';
    return texNames[sign] && !paired.has(at) ? `\\text${texNames[sign]}{}` : `\\${sign}`;
  };
  return text && `{${text.replace(/[\\{}~^&%$#_]|(?<=-)-/g, toSign)}}`;
};

/**
 * For BibTeX, which reads year and month, and for BibLaTeX, which reads date and urldate. It would take the year of access for that of an
 * undated video, which is then a note; typst takes no other year than a number. Of two hyphens it makes a dash, and so the address of
 * another video.
 */
const writeBibtex = ({ id, channel, title, day, accessed, url }: Facts): string => {
  const days = day
    ? { year: yearOf(day), date: day, urldate: accessed }
    : { note: `Retrieved ${nameDay(accessed)}, ${yearOf(accessed)}` };
  const facts = { howpublished: PLATFORM_NAME, type: 'Video', url: url.replaceAll(/(?<=-)-/g, '%2D') };
  const lines = toLines(
    { author: toTex(channel), title: toTex(title), ...facts, ...days },
    (name, value) => `  ${name} = {${value}},\n`,
  );
  // The first three letters of a month are its name in BibTeX, and no text.
  const month = day && `  month = ${nameDay(day).slice(0, 3).toLowerCase()},\n`;
  return `@misc{${id},\n${lines.join('')}${month}}`;
};

/** Zotero reads a field of RIS as HTML. */
const withoutHtml = (text: string): string =>
  text.replaceAll(/<(?=[a-z/!?])/gi, '‹').replaceAll(/&(?=#?\w{1,31};)/g, '＆');

const risDay = (day: string): string => day && `${day.replaceAll('-', '/')}/`;

const writeRis = ({ id, channel, title, day, accessed, url }: Facts): string => {
  // A comma makes a last and a first name of a channel; one at the end says that all of it is the last name.
  const name = withoutHtml(channel)
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ');
  const names = {
    ID: id,
    AU: name && `${name},`,
    TI: withoutHtml(title),
    PY: yearOf(day),
    DA: risDay(day),
    DP: PLATFORM_NAME,
  };
  const lines = toLines(
    { TY: 'VIDEO', ...names, PB: PLATFORM_NAME, UR: url, Y2: risDay(accessed) },
    (tag, value) => `${tag}  - ${value}\r\n`,
  );
  return `${lines.join('')}ER  - \r`;
};

const cslDate = (day: string) => ({ 'date-parts': [day.split('-').map(Number)] });

/** The tags that CSL has in titles. */
const cslTag = /<(?=\/?(?:[bi]|su[bp]|sc|span)\b)/gi;

/** A channel is a literal name: it has no first and last one. https://github.com/citation-style-language/schema */
const writeCsl = ({ id, channel, title, day, accessed, url }: Facts): string => {
  const known = {
    ...(title && { title: title.replaceAll(cslTag, '‹') }),
    ...(channel && { author: [{ literal: channel }] }),
    ...(day && { issued: cslDate(day) }),
  };
  const item = { id, type: 'motion_picture', genre: 'Video', ...known, accessed: cslDate(accessed) };
  return JSON.stringify([{ ...item, publisher: PLATFORM_NAME, URL: url }]);
};

const writers = { apa: writeApa, bibtex: writeBibtex, ris: writeRis, 'csl-json': writeCsl } as const;

export const citationTypes = {
  apa: 'text/plain; charset=utf-8',
  bibtex: 'application/x-bibtex; charset=utf-8',
  ris: 'application/x-research-info-systems; charset=utf-8',
  'csl-json': 'application/vnd.citationstyles.csl+json; charset=utf-8',
} as const satisfies Readonly<Record<CitationFormat, string>>;

/** A reference to a video, for a text or for a manager of references. Facts that are unknown are left out. */
export const formatCitation = (video: VideoSummary, format: CitationFormat, options: CitationOptions): string =>
  `${writers[format](readFacts(video, options))}\n`;
