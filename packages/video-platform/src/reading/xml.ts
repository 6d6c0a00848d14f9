import { decode } from 'html-entities';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { broken, RefusedAnswer } from '../classification/index.ts';
import { bounds } from '../config/limits.ts';

type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
};

type XmlReader = {
  readonly open: (element: XmlElement) => void;
  /** Text and CDATA with entities decoded; one text may come in pieces. */
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
  /** Matches messages of parser errors that concern the text alone. The text stays as written. At most a thousand are accepted. */
  readonly harmless?: RegExp;
};

export const refuseXml = (row: string): never => {
  throw new RefusedAnswer(broken(row));
};

const MAX_HARMLESS = 1_000;

/**
 * Reads a whole document. Rejects a doctype, deep nesting and too many attributes at once, so only XML's own five entities are ever
 * expanded. Throws RefusedAnswer, or the parser's error for invalid XML.
 */
export const walkXml = (body: string, { open, text, close, harmless }: XmlReader): void => {
  let depth = 0;
  let attributes = 0;
  let errors = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    errors += 1;
    if (errors > MAX_HARMLESS || !harmless?.test(error.message)) throw error;
  });
  parser.on('doctype', () => refuseXml('doctype'));
  parser.on('opentagstart', () => {
    attributes = 0;
    depth += 1;
    if (depth > bounds.depth) refuseXml('too_deep');
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > bounds.attributes) refuseXml('too_many_attributes');
  });
  parser.on('opentag', ({ name, attributes: values }: SaxesTagPlain) => open({ name, attributes: values }));
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    close(name);
  });
  // Nothing may stand before the declaration.
  parser.write(body.trimStart()).close();
};

const XML_ENTITIES: ReadonlySet<string> = new Set(['&amp;', '&lt;', '&gt;', '&quot;', '&apos;']);
const REFERENCE = /&(?:(?:#x?[\da-f]{1,8}|[a-z][\da-z]{0,31});)?/gi;
const LINE_BREAKS = /[\v\f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const FORBIDDEN = /[\u0000-\u0008\u000e-\u001f\ufffe\uffff]/g;

const withoutForbidden = (text: string): string => text.replace(LINE_BREAKS, '\n').replace(FORBIDDEN, '');

/**
 * A document whose characters and references are those of XML: HTML's entities are decoded, a bare `&` is encoded. Two halves of a
 * character become one, a single half U+FFFD.
 */
export const withValidCharacters = (body: string): string =>
  withoutForbidden(body)
    .replace(REFERENCE, (reference) =>
      XML_ENTITIES.has(reference)
        ? reference
        : withoutForbidden(decode(reference, { scope: 'strict' }))
            .replaceAll('&', '&amp;')
            .replaceAll('<', '&lt;'),
    )
    .toWellFormed();
