import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '@tds/errors';

type Receive = (event: { body: string; signature: string }) => Promise<unknown>;

const OK = 200;
const FAILED = 500;

/** Passes events of the processor to billing like the gateway, and answers the status. */
export const startEventReceiver = async (receive: Receive) => {
  const refusals: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const event = {
      body: Buffer.concat(chunks).toString('utf8'),
      signature: String(request.headers['stripe-signature'] ?? ''),
    };
    const status = await receive(event).then(
      () => OK,
      (error: unknown) => {
        refusals.push(error instanceof ServiceError ? error.code : String(error));
        return error instanceof ServiceError ? error.status : FAILED;
      },
    );
    response.writeHead(status).end();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/billing/payment`,
    /** Codes of rejected events. */
    refusals,
    stop: async (): Promise<void> => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
};
