import { leaf, type Replace } from './leaves.ts';

/** Tags, which stand between texts; references, also those that are encoded twice; markup that is encoded once. */
const KEPT_IN_TEXT = /(&(?:amp;)?[#\w]+;|&lt;\/?\w{1,2}(?:&gt;|>))/;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const PLAIN = new Set([
  ...[
    'rel',
    'type',
    'width',
    'height',
    'count',
    'average',
    'min',
    'max',
    'views',
    'version',
    'encoding',
    'format',
  ],
  ...['start', 'dur', 't', 'd', 'w', 'a', 'name', 'method', 'class'],
]);

const inTag = (tag: string, replace: Replace): string =>
  tag.replace(ATTRIBUTE, (whole: string, name: string, value: string) =>
    PLAIN.has(name) || name.startsWith('xmlns') ? whole : `${name}="${leaf(value, [name], replace)}"`,
  );

const inText = (text: string, replace: Replace): string => {
  const [, before = '', inner = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  const parts = inner.split(KEPT_IN_TEXT);
  const made =
    parts.length === 1
      ? leaf(inner, [], replace)
      : parts.map((part, at) => (at % 2 === 1 ? part : replace(part))).join('');
  return before + made + after;
};

const TAGS = /(<[^>]+>)/;
const DESCRIPTION = /(<media:description>[^\n<]*)[^<]*/g;

/** An XML document with its texts and attributes replaced; of long descriptions the first line is left. */
export const replacedXml = (xml: string, replace: Replace): string =>
  xml
    .replace(DESCRIPTION, '$1')
    .split(/(&lt;\/?\w{1,2}>)/)
    .map((piece, at) =>
      at % 2 === 1
        ? piece
        : piece
            .split(TAGS)
            .map((part, index) => (index % 2 === 1 ? inTag(part, replace) : inText(part, replace)))
            .join(''),
    )
    .join('');

const TELLING = /<(?:form|input type="hidden"|div class="g-recaptcha"|div id="recaptcha")[^>]*>/g;

/** Of a page the parts by which it is recognised and answered: its first form, and the captcha. */
export const replacedPage = (html: string, replace: Replace): string => {
  const form = /<form[\s\S]*?<\/form>/.exec(html)?.[0] ?? '';
  const captcha = /<[^>]*class="g-recaptcha"[^>]*>/.exec(html)?.[0] ?? '';
  const tags = [...(form.match(TELLING) ?? []), captcha].filter((tag) => tag !== '');
  const body = tags.map((tag) => inTag(tag, replace)).join('\n');
  return `<!DOCTYPE html>\n<html><head><title>${replace('Before anything')}</title></head><body>\n${body}\n</body></html>\n`;
};

const TIMES = /^\d+$|-->/;

/** The first blocks of a SubRip file. */
export const replacedSrt = (srt: string, blocks: number, replace: Replace): string => {
  const first = srt
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n{2,}/)
    .slice(0, blocks);
  const lines = first.join('\n\n').split('\n');
  return `${lines.map((line) => (TIMES.test(line) ? line : replace(line))).join('\n')}\n`;
};
