import type { VideoDetails } from '@tds/contracts';
import { type Verdict, verdicts } from './verdict.ts';

/** One answer that was no success, with everything an operator wants to know of it. */
export type Refusal = {
  /** Name of the classification row. */
  readonly row: string;
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly subreason: string | null;
  readonly retryAfterSeconds: number | null;
  readonly video: VideoDetails | null;
  readonly cause: unknown;
};

export const refusal = (row: string, verdict: Verdict, details: Partial<Refusal> = {}): Refusal => ({
  reason: null,
  subreason: null,
  retryAfterSeconds: null,
  video: null,
  cause: undefined,
  ...details,
  row,
  verdict,
});

/** Whether the route is at fault, or may be. */
export const blamesRoute = ({ verdict }: Refusal): boolean =>
  verdict.about === 'route' || verdict.about === 'route_or_video';

export const broken = (row: string, details: Partial<Refusal> = {}): Refusal =>
  refusal(row, verdicts.broken, details);

/** Thrown by readers of bodies; caught where the attempt is recorded. */
export class RefusedAnswer extends Error {
  readonly refusal: Refusal;

  constructor(given: Refusal) {
    super(given.row);
    this.refusal = given;
  }
}
