import { z } from 'zod';
import { invalid, missing } from './api-error.ts';
import { fault } from './faults.ts';
import { closeDispute, failRefund, makeRefund, openDispute, refundParameters } from './money-back.ts';
import { expireSession, payForSession } from './sessions.ts';
import type { Simulation } from './simulation.ts';

const named = z.object({ id: z.string() });
const amount = z.number().int().positive().optional();

type Command = (simulation: Simulation, body: unknown) => object;

const command =
  <Schema extends z.ZodType>(
    schema: Schema,
    work: (simulation: Simulation, given: z.output<Schema>) => object,
  ): Command =>
  (simulation, body) => {
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw invalid('command_invalid', parsed.error.message);
    return work(simulation, parsed.data);
  };

const resend = ({ state, deliveries }: Simulation, times: number): object => {
  for (let time = 0; time < times; time += 1)
    for (const event of state.events.values()) deliveries.send(event);
  return { events: state.events.size };
};

/** The acts of people and banks, and faults: `POST /control/<name>` with a JSON body. */
const commands: Readonly<Record<string, Command>> = {
  pay: command(named, ({ state, origin, emit }, { id }) => payForSession(state, origin, id, emit)),
  expire: command(named, ({ state, emit }, { id }) => expireSession(state, id, emit)),
  refund: command(refundParameters, ({ state, emit }, given) => makeRefund(state, given, emit)),
  'fail-refund': command(named, ({ state, emit }, { id }) => failRefund(state, id, emit)),
  dispute: command(z.object({ payment_intent: z.string(), amount }), ({ state, emit }, given) =>
    openDispute(state, given.payment_intent, emit, given.amount),
  ),
  'close-dispute': command(
    named.extend({ status: z.enum(['won', 'lost']) }),
    ({ state, emit }, { id, status }) => closeDispute(state, id, status, emit),
  ),
  fault: command(fault, ({ faults }, given) => {
    faults.add(given);
    return {};
  }),
  release: command(z.object({}), ({ deliveries }) => {
    deliveries.release();
    return {};
  }),
  resend: command(z.object({ times: z.number().int().min(1).max(100).default(1) }), (simulation, { times }) =>
    resend(simulation, times),
  ),
};

export const answerControl = async (simulation: Simulation, path: string, body: string): Promise<object> => {
  const name = path.slice('/control/'.length);
  const work = commands[name];
  if (!work) throw missing('command', name);
  return work(simulation, body === '' ? {} : JSON.parse(body));
};
