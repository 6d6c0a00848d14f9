import { type ServiceMsg, Svcm } from '@nats-io/services';
import { createBatcher, createDeadline, failureFields, toServiceError } from '@tds/base';
import { createSemaphore, type EventLoopWatch, whenSettled } from '@tds/base/internals';
import { type Command, HEARTBEAT_MS } from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import type { Runtime, Worker } from '@tds/messaging/internals';
import { heartbeat, messageContextOf, observe, readDeadline } from '@tds/messaging/internals';
import type { z } from 'zod';

type CommandHandler = (request: unknown, context: Context) => Promise<unknown>;
export type CommandHandlers = Readonly<Record<string, CommandHandler>>;

const RETRY_AFTER_SECONDS = 1;
/** After a longer stall of the event loop, incoming requests may have waited as long. */
const STALL_MS = 1_000;

/** The request was not read. */
const overloadError = (): ServiceError =>
  serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, nothingBegun: true });

/** A handler's error: that a call of its own began nothing does not say that the handler has not. */
const toHandlerError = (thrown: unknown): ServiceError => {
  const error = toServiceError(thrown);
  const { nothingBegun: _, ...data } = error.data;
  return new ServiceError(data, error.cause);
};

const answerError = ({ log }: Runtime, message: ServiceMsg, error: ServiceError): void => {
  try {
    message.respondError(error.status, error.code, JSON.stringify(error.data));
  } catch (cause) {
    // The connection is closed: the caller's own time limit ends its wait.
    log.warn('an answer could not be sent', failureFields(cause));
  }
};

/** A request that does not parse is a fault of the caller's code, so it is an unexpected error. */
const parse = (schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw serviceError('unexpected_error', { cause: parsed.error });
};

type ReceivedCommand = {
  readonly command: Command;
  readonly handler: CommandHandler;
  readonly message: ServiceMsg;
  /** For how long this process may have left the message lying. */
  readonly stalledMs: number;
};

/** Until then the caller hears that this process is at work. */
const sendHeartbeats = ({ bus }: Runtime, { reply }: ServiceMsg, until: AbortSignal): Disposable => {
  if (!reply) return { [Symbol.dispose]: () => {} };
  const timer = setInterval(() => {
    const { connection } = bus;
    if (until.aborted || connection.isClosed() || connection.isDraining()) return clearInterval(timer);
    connection.publish(reply, '', { headers: heartbeat() });
  }, HEARTBEAT_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
};

const reply = async (
  runtime: Runtime,
  { command, handler, message, stalledMs }: ReceivedCommand,
): Promise<string> => {
  const { service, log, metrics, ending } = runtime;
  const messageContext = messageContextOf(message.headers);
  const remainingMs = readDeadline(message.headers, command.timeoutMs) - stalledMs;
  // The caller has given up by now, so the work would be in vain.
  if (remainingMs <= 0) throw overloadError();
  using deadline = createDeadline(remainingMs, ending);
  using _heartbeats = sendHeartbeats(runtime, message, deadline.signal);
  const onEnd = (outcome: string, seconds: number) =>
    metrics.commandDuration.observe({ name: command.wireName, outcome }, seconds);
  try {
    return await observe(
      { kind: 'command', name: command.wireName, service, messageContext, span: 'server', log, onEnd },
      async (record) => {
        const { requestId, accountId } = messageContext;
        const request = parse(command.request, message.json());
        const result = await handler(request, { requestId, accountId, signal: deadline.signal, record });
        return JSON.stringify(parse(command.reply, result) ?? null);
      },
    );
  } catch (thrown) {
    throw toHandlerError(thrown);
  }
};

const answer = async (
  runtime: Runtime,
  receivedCommand: ReceivedCommand,
  endOfTurn: EndOfTurn,
): Promise<void> => {
  try {
    receivedCommand.message.respond(await endOfTurn(await reply(runtime, receivedCommand)));
  } catch (thrown) {
    answerError(runtime, receivedCommand.message, toServiceError(thrown));
  }
};

type EndOfTurn = (text: string) => Promise<string>;

/** Returns the texts of one turn together: they leave in one write, and writing to a socket is the dearest part of an answer. */
const createEndOfTurn = (): EndOfTurn =>
  createBatcher({
    call: async (texts: readonly string[]) => texts,
    maxBatch: Number.POSITIVE_INFINITY,
    schedule: whenSettled,
  });

/**
 * Whether a message came here by a way that is not the command's: the broker delivers a stored message to any reply
 * subject that a user names, and leaves its own subject as it was.
 */
const isMisdirected = ({ log }: Runtime, command: Command, message: ServiceMsg): boolean => {
  if (message.subject === command.subject) return false;
  log.error('a message that is none of this command`s was sent here on purpose', {
    command: command.wireName,
    subject: message.subject,
  });
  return true;
};

/** Answers the surface's commands, sharing them with the other instances through a queue group. */
export const answerCommands = async (
  runtime: Runtime,
  handlers: CommandHandlers,
  { maxInFlight, loop }: { readonly maxInFlight: number; readonly loop: Pick<EventLoopWatch, 'stalledMs'> },
): Promise<Worker> => {
  const { name, contract } = runtime.surface;
  const commands = Object.values(contract.commands);
  if (commands.length === 0) return { stop: async () => {} };
  const permits = createSemaphore(maxInFlight);
  const endOfTurn = createEndOfTurn();
  const receive = (command: Command, handler: CommandHandler, message: ServiceMsg): void => {
    if (isMisdirected(runtime, command, message)) return;
    const receivedCommand = { command, handler, message, stalledMs: loop.stalledMs(STALL_MS) };
    if (permits.free() > 0) return void permits.run(() => answer(runtime, receivedCommand, endOfTurn));
    runtime.metrics.commandsRefused.inc();
    answerError(runtime, message, overloadError());
  };
  const service = await new Svcm(runtime.bus.connection).add({ name, version: '1.0.0', queue: name });
  for (const command of commands) {
    const { subject, wireName } = command;
    const handler = handlers[command.name];
    if (!handler) throw new Error(`${name} has no handler for ${command.name}`);
    service.addEndpoint(wireName, {
      subject,
      handler: (error, message) =>
        error
          ? runtime.log.error('a command cannot be received', { command: wireName, error })
          : receive(command, handler, message),
    });
  }
  return {
    stop: async () => {
      // Draining needs the broker; without it no more commands arrive.
      if (runtime.bus.isConnected()) await service.stop();
      await permits.whenIdle();
    },
  };
};
