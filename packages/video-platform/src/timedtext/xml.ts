import { decode } from 'html-entities';
import { refuseXml, walkXml } from '../guarded-xml.ts';
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

/** srv3 (`<timedtext>`) or srv1 (`<transcript>`). */
export const readXml = (body: string): RawCaptions => {
  const cues: RawCue[] = [];
  let omitted = 0;
  let dialect: Dialect | null = null;
  let open: { attributes: Attributes; text: string } | null = null;
  walkXml(body, {
    open({ name, attributes }) {
      dialect ??= dialects[name] ?? refuseXml('not_captions');
      if (name === dialect.element) open = { attributes, text: '' };
      else if (name === 'br' && open !== null) open.text += '\n';
    },
    text(text) {
      if (open !== null) open.text += text;
    },
    close(name) {
      if (dialect === null || open === null || name !== dialect.element) return;
      const cue = dialect.read(open.attributes, open.text);
      if (cue === null) omitted += 1;
      else cues.push(cue);
      open = null;
    },
  });
  return { cues, omitted };
};
