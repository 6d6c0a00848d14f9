import { create } from 'content-disposition';
import { withoutBidiControls } from './bidi-controls.ts';

const unsafe = /[\p{Cc}/\\]/gu;
const accents = /\p{M}/gu;
// Older agents decode `%41` and stumble over quoted pairs inside the plain parameter.
const beyondPlain = /[^\x20-\x7e]|["%]/gu;

const asciiName = (name: string): string =>
  name.normalize('NFKD').replace(accents, '').replace(beyondPlain, '_').replace(unsafe, '_');

/** An `attachment` header value (RFC 6266): pure ASCII, one line, the exact name in `filename*` where it needs it. */
export const contentDisposition = (fileName: string): string => {
  const name = withoutBidiControls(fileName.toWellFormed()).replace(unsafe, '_');
  return create(name, { fallback: asciiName(name) });
};
