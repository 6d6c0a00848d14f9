import { z } from 'zod';

const base = z.object({
  match: z.string().default(''),
  times: z.number().int().min(1).max(1_000_000).default(1),
});

/**
 * Faults, each with a number of times. Of webhooks: `lose` (never delivered; the list has it), `repeat` (delivered `copies` times more,
 * at once), `late` (after `delayMs`), `hold` (until released, the last one first). Of the API: `error` (500, nothing done), `unanswered`
 * (done, and the connection ends), `hang` (not done, no answer), `nonsense`
 * (200 with an unexpected object).
 */
export const fault = z.discriminatedUnion('kind', [
  base.extend({ kind: z.enum(['lose', 'hold', 'error', 'unanswered', 'hang', 'nonsense']) }),
  base.extend({ kind: z.literal('repeat'), copies: z.number().int().min(1).max(100).default(1) }),
  base.extend({ kind: z.literal('late'), delayMs: z.number().int().nonnegative().default(1_000) }),
]);
export type Fault = z.output<typeof fault>;
export type FaultInput = z.input<typeof fault>;

const apiKinds = new Set<Fault['kind']>(['error', 'unanswered', 'hang', 'nonsense']);

export const createFaults = () => {
  let all: Fault[] = [];
  const take = (isOne: (one: Fault) => boolean): Fault | undefined => {
    const next = all.find(isOne);
    if (!next) return undefined;
    next.times -= 1;
    all = all.filter(({ times: left }) => left > 0);
    return next;
  };
  return {
    add: (input: FaultInput): void => void all.push(fault.parse(input)),
    clear: (): void => {
      all = [];
    },
    /** The fault that this event meets; `match` is a part of its type. */
    takeForWebhook: (type: string) => take(({ kind, match }) => !apiKinds.has(kind) && type.includes(match)),
    /** The fault that this request meets; `match` is a part of its method and path. */
    takeForRequest: (request: string) =>
      take(({ kind, match }) => apiKinds.has(kind) && request.includes(match)),
  };
};
export type Faults = ReturnType<typeof createFaults>;
