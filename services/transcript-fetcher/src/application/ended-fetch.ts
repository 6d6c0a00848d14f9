import type { NewObject } from '@tds/service-kit';
import type { KeptFile } from '../domain/transcript.ts';
import type { End } from '../store/end-rows.ts';
import type { Begun } from '../store/rows.ts';

export type Packed = NewObject & { readonly data: Buffer };
export type RenderedBody = {
  readonly file: KeptFile;
  readonly body: Buffer;
  /** The file as it is to be stored. */
  readonly packed: Packed;
};

/** What a fetch has come to: what is to be stored before it is saved, and the file that whoever began it waits for. */
export type Ending = {
  readonly end: Omit<End, 'toldTo'>;
  readonly objects: readonly NewObject[];
  readonly rendered: RenderedBody | null;
};

/** A fetch that has come to an end, and the read that began it. */
export type EndingFetch = Ending & { readonly begun: Begun; readonly openerId: string | null };
