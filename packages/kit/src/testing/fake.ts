import { poolClient } from '@tds/base/testing';
import {
  type Contract,
  defineSurface,
  type EventOf,
  type PayloadOf,
  type ReplyOf,
  type RequestOf,
} from '@tds/contracts';
import type { Context } from '@tds/messaging';
import type { Kit, ServiceDefinition } from '../service.ts';

type Commands<C extends Contract> = {
  -readonly [Name in keyof C['commands']]: (
    request: RequestOf<C['commands'][Name]>,
    context: Context,
  ) => Promise<ReplyOf<C['commands'][Name]>>;
};
type FakeSurface<C extends Contract> = ReturnType<typeof defineSurface<C>>;

/** A service that answers from a script and keeps its requests. */
export type Fake<C extends Contract> = {
  readonly service: ServiceDefinition<FakeSurface<C>>;
  /** Tests may replace them while it runs. */
  readonly commands: Commands<C>;
  /** Name and request of every command that came. */
  readonly requests: { readonly name: string; readonly request: unknown }[];
  /** Once it has started. */
  readonly kit: () => Kit<FakeSurface<C>>;
  /** Emits one of its events as the service would, through the outbox; it then needs a database with the kit's tables. */
  emit<E extends EventOf<FakeSurface<C>>>(event: E, payload: PayloadOf<E>): Promise<void>;
};

/** Answers only the commands that the script has at the start; the others have no receiver. */
export const createFake = <C extends Contract>(contract: C, script: Partial<Commands<C>> = {}): Fake<C> => {
  const commands = { ...script } as Commands<C>;
  const requests: { name: string; request: unknown }[] = [];
  let providedKit: Kit<FakeSurface<C>> | undefined;
  const scriptedCommands = Object.entries(contract.commands).filter(([name]) => name in script);
  const surface = defineSurface({ ...contract, commands: Object.fromEntries(scriptedCommands), tasks: {} });
  const answer = (name: string) => async (request: unknown, context: unknown) => {
    requests.push({ name, request });
    const scripted = (commands as Record<string, (request: never, context: never) => Promise<unknown>>)[name];
    return scripted?.(request as never, context as never);
  };
  const kit = () => {
    if (!providedKit) throw new Error(`the fake of ${contract.service} has not started`);
    return providedKit;
  };
  return {
    service: {
      surface: surface as FakeSurface<C>,
      start: async (provided) => {
        providedKit = provided;
        return {
          tasks: {},
          subscriptions: {},
          broadcasts: {},
          schedules: {},
          commands: Object.fromEntries(scriptedCommands.map(([name]) => [name, answer(name)])),
        } as never;
      },
    },
    commands,
    requests,
    kit,
    emit: (event, payload) =>
      kit().messaging.transaction(poolClient(kit().db), (_tx, send) => send.emit(event, payload)),
  };
};
