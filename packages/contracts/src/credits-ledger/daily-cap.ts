import { type ServiceError, serviceError } from '../errors/service-error.ts';
import { secondsToNextUtcDay } from '../limits.ts';

export type DailyCap = {
  readonly cap: number;
  /** What it leaves; below 0 where the cap was lowered below what its key has used. */
  readonly left: number;
  readonly required: number;
};

const credits = (count: number): string => (count === 1 ? '1 credit' : `${count} credits`);

/** The refusal of a key whose own daily cap leaves too little. */
export const dailyCapError = ({ cap, left, required }: DailyCap, now: Date): ServiceError =>
  serviceError('daily_credit_cap', {
    message: `This key may use ${credits(cap)} a day and has used ${cap - left} of them; this needs ${required}. More at 00:00 UTC.`,
    retryAfterSeconds: secondsToNextUtcDay(now),
  });
