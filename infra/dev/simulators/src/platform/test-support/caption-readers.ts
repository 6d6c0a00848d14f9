import { decode } from 'html-entities';
import type { Cue } from '../catalogue/cues.ts';

type Event = { tStartMs: number; dDurationMs?: number; segs?: { utf8: string }[] };

const tidy = (cues: Cue[]): Cue[] =>
  cues
    .map((cue) => ({ ...cue, text: cue.text.replaceAll('\u200b', '') }))
    .filter((cue) => cue.text.trim() !== '')
    .sort((left, right) => left.startMs - right.startMs);

const readJson3 = (text: string): Cue[] => {
  const events: Event[] = JSON.parse(text).events;
  return events.map((event) => ({
    startMs: event.tStartMs,
    durationMs: event.dDurationMs ?? 0,
    text: (event.segs ?? []).map((segment) => segment.utf8).join(''),
  }));
};

const readSrv3 = (text: string): Cue[] =>
  [...text.matchAll(/<p t="(\d+)"(?: d="(\d+)")?[^>]*>(.*?)<\/p>/gs)].map(([, start, length, inner = '']) => ({
    startMs: Number(start),
    durationMs: Number(length ?? 0),
    text: decode(inner.replace(/<[^>]+>/g, '')),
  }));

const readSrv1 = (text: string): Cue[] =>
  [...text.matchAll(/<text start="([\d.]+)" dur="([\d.]+)">(.*?)<\/text>/gs)].map(
    ([, start, length, inner = '']) => ({
      startMs: Math.round(Number(start) * 1000),
      durationMs: Math.round(Number(length) * 1000),
      text: decode(decode(inner)),
    }),
  );

const readers = { json3: readJson3, srv3: readSrv3, srv1: readSrv1 };
export type ReadableFormat = keyof typeof readers;
export const readableFormats: readonly ReadableFormat[] = ['json3', 'srv3', 'srv1'];

/** An independent reading of a caption body, against which the canonical cues are checked. */
export const readCues = (format: ReadableFormat, text: string): Cue[] => tidy(readers[format](text));
