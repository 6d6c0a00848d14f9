import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** An HTTP proxy that tunnels; `tunnelled` holds the local ports of its connections to the platform. */
export const startProxy = async () => {
  const tunnelled = new Set<number>();
  const proxy = createServer();
  proxy.on('connect', (request, client) => {
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      tunnelled.add((upstream.address() as AddressInfo).port);
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client);
      client.pipe(upstream);
    });
    const end = () => {
      upstream.destroy();
      client.destroy();
    };
    upstream.on('error', end).on('close', end);
    client.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    proxyUrl: `http://127.0.0.1:${port}`,
    tunnelled,
    close: async () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
};
