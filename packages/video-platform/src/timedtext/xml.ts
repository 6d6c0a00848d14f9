import { decode } from 'html-entities';
import { SaxesParser } from 'saxes';
import { broken, RefusedAnswer } from '../classification/refusal.ts';
import { bounds } from '../config/bounds.ts';
import type { RawCaptions, RawCue } from './cues.ts';

type Attributes = Readonly<Record<string, string>>;

/** How one XML dialect says a cue. */
type Dialect = {
  readonly element: string;
  /** Null for a row whose times cannot be read. */
  readonly read: (attributes: Attributes, text: string) => RawCue | null;
};

const whole = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,10}$/.test(value) ? Number(value) : null;

const secondsAsMs = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,8}(?:\.\d+)?$/.test(value) ? Math.round(Number(value) * 1000) : null;

const srv3: Dialect = {
  element: 'p',
  read: ({ t = '0', d }, text) => {
    const startMs = whole(t);
    return startMs === null ? null : { startMs, durationMs: whole(d), text };
  },
};

const FORMATTING = /<\/?(?:i|b|u|em|strong|font|span|c|v)(?:\s[^<>]*)?>/gi;

/** srv1 is HTML inside XML: markup stands encoded once, literal text twice. */
const literal = (text: string): string => decode(text.replace(/<br\s*\/?>/gi, '\n').replace(FORMATTING, ''));

const srv1: Dialect = {
  element: 'text',
  read: ({ start, dur }, text) => {
    const startMs = secondsAsMs(start);
    return startMs === null ? null : { startMs, durationMs: secondsAsMs(dur), text: literal(text) };
  },
};

const dialects: Readonly<Record<string, Dialect>> = { timedtext: srv3, transcript: srv1 };

const refuse = (row: string): never => {
  throw new RefusedAnswer(broken(row));
};

/** srv3 (`<timedtext>`) or srv1 (`<transcript>`). A doctype or a deep nest is refused before more of it is looked at. */
export const readXml = (body: string): RawCaptions => {
  const cues: RawCue[] = [];
  let omitted = 0;
  let dialect: Dialect | null = null;
  let open: { attributes: Attributes; text: string } | null = null;
  let depth = 0;
  let attributes = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => refuse('doctype'));
  parser.on('opentagstart', () => {
    attributes = 0;
    depth += 1;
    if (depth > bounds.depth) refuse('too_deep');
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > bounds.attributes) refuse('too_many_attributes');
  });
  parser.on('opentag', (tag) => {
    dialect ??= dialects[tag.name] ?? refuse('not_captions');
    if (tag.name === dialect.element) open = { attributes: tag.attributes as Attributes, text: '' };
    else if (tag.name === 'br' && open !== null) open.text += '\n';
  });
  const append = (text: string) => {
    if (open !== null) open.text += text;
  };
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', (tag) => {
    depth -= 1;
    if (dialect === null || open === null || tag.name !== dialect.element) return;
    const cue = dialect.read(open.attributes, open.text);
    if (cue === null) omitted += 1;
    else cues.push(cue);
    open = null;
  });
  parser.write(body).close();
  return { cues, omitted };
};
