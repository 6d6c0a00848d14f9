import { defineContract } from '@tds/contracts';
import { z } from 'zod';
import { BENCH } from './bench-name.ts';

/** A fact of nobody's, of no service of the system. The filling makes it as long as most. */
export const benchContract = defineContract(BENCH, {
  events: { benchHappened: { payload: z.object({ n: z.number(), filling: z.string() }) } },
});

export const FILLING = 'x'.repeat(200);

/** Milliseconds by the clock that all processes of the machine share. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1_000_000;
