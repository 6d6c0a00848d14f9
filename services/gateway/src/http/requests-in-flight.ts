import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for their answers: more than browsers and clients of ours ever pipeline. */
export const MOST_IN_FLIGHT = 16;

const state = Symbol('requests in flight');
type Flight = {
  inFlight: number;
  /** Requests that came behind the refused one. */
  ignored: number;
  isEnding: boolean;
};
type Counted = Socket & { [state]?: Flight };

const flightOf = (socket: Counted): Flight => {
  socket[state] ??= { inFlight: 0, ignored: 0, isEnding: false };
  return socket[state];
};

/** One function for all responses. */
function land(this: ServerResponse): void {
  const flight = (this.req.socket as Counted)[state];
  if (flight !== undefined) flight.inFlight -= 1;
}

/**
 * `refuse` one with an error, behind which the connection ends; what came behind that is to be ignored, for its answer
 * would have no place. Whoever sends a lot more is cut off: each costs memory until then.
 */
export const takeTurn = (
  request: IncomingMessage,
  response: ServerResponse,
): 'serve' | 'refuse' | 'ignore' => {
  const flight = flightOf(request.socket);
  if (flight.isEnding) {
    flight.ignored += 1;
    if (flight.ignored >= MOST_IN_FLIGHT) request.socket.destroy();
    return 'ignore';
  }
  flight.inFlight += 1;
  response.on('close', land);
  if (flight.inFlight <= MOST_IN_FLIGHT) return 'serve';
  flight.isEnding = true;
  response.shouldKeepAlive = false;
  return 'refuse';
};
