import type { CaptionBody } from './caption-body.ts';
import { writeJson3 } from './json3.ts';
import { writeSrv1, writeVtt } from './plain-formats.ts';
import { writeSrv3 } from './srv3.ts';

type CaptionFormat = { contentType: string; write(body: CaptionBody): string };

const xml = 'text/xml; charset=UTF-8';
const formats = new Map<string, CaptionFormat>([
  ['json3', { contentType: 'application/json; charset=UTF-8', write: writeJson3 }],
  ['srv3', { contentType: xml, write: writeSrv3 }],
  ['srv1', { contentType: xml, write: writeSrv1 }],
  ['vtt', { contentType: 'text/vtt; charset=UTF-8', write: writeVtt }],
]);

const oldest: CaptionFormat = { contentType: xml, write: writeSrv1 };

/** The format of `fmt=`; the old XML for none or an unknown one. */
export const captionFormat = (name: string | null): CaptionFormat => formats.get(name ?? '') ?? oldest;
