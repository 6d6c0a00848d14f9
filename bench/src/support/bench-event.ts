import { defineContract } from '@tds/contracts';
import { z } from 'zod';

/** A fact of nobody's, under the name of a service that does not run here. The filling makes it as long as most. */
export const benchContract = defineContract('status', {
  events: { benchHappened: { payload: z.object({ n: z.number(), filling: z.string() }) } },
});

export const FILLING = 'x'.repeat(200);

/** Milliseconds by the clock that all processes of the machine share. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1_000_000;
