import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from './service-process.ts';

/** One address before several gateways, as the Service of a cluster is. */
export type Balancer = {
  /** New connections go to it. */
  join(port: number): void;
  /** No new connection goes to it; open ones stay. */
  leave(port: number): void;
  /** Resets its open connections: of a killed container the network is gone, and nothing else would. */
  cut(port: number): void;
  close(): void;
};

export const startBalancer = async (port: number, gateways: readonly number[]): Promise<Balancer> => {
  const serving = [...gateways];
  const open = new Set<Socket>();
  let turn = 0;
  /** A gateway that accepts no connection is passed by for the next one. */
  const link = (client: Socket, tries = serving.length): void => {
    turn += 1;
    const chosen = serving[turn % serving.length];
    if (chosen === undefined || tries === 0) return void client.destroy();
    const gateway = connect({ port: chosen, host: '127.0.0.1', allowHalfOpen: true });
    const onError = (): void => link(client, tries - 1);
    gateway.once('error', onError);
    gateway.once('connect', () => {
      gateway.off('error', onError);
      for (const [one, other] of [
        [client, gateway],
        [gateway, client],
      ] as const) {
        open.add(one);
        one.on('error', () => other.resetAndDestroy());
        one.on('close', () => open.delete(one));
        one.pipe(other);
      }
    });
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => link(client));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    join: (gateway) => void serving.push(gateway),
    leave: (gateway) => void serving.splice(serving.indexOf(gateway), 1),
    cut: (gateway) => {
      for (const socket of open)
        if (socket.remotePort === gateway) socket.destroy(new Error('the gateway was killed'));
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
};

/** As pods wait before they stop (`preStop`): connections that were on their way arrive. */
const ON_THE_WAY_MS = 1_000;

type Balancing = {
  readonly port: number;
  readonly gateways: readonly number[];
  /** The present port of a gateway. */
  portOf(name: string): Promise<number | undefined>;
};

/** Several gateways behind a balancer at the address of the system; an orderly restart begins after the balancer was left. */
export const balanceGateways = async (
  { port, gateways, portOf }: Balancing,
  processes: ServiceProcess[],
): Promise<Balancer> => {
  const balancer = await startBalancer(port, gateways);
  for (const [index, process] of processes.entries()) {
    if (process.service !== 'gateway') continue;
    const restart: ServiceProcess['restart'] = async (besides) => {
      const ownPort = await portOf(process.name);
      if (ownPort === undefined) throw new Error(`${process.name} has no port`);
      balancer.leave(ownPort);
      await delay(ON_THE_WAY_MS);
      await process.restart(besides);
      balancer.join(ownPort);
    };
    const signal: ServiceProcess['signal'] = async (name) => {
      const ownPort = await portOf(process.name);
      await process.signal(name);
      if (name === 'SIGKILL' && ownPort !== undefined) balancer.cut(ownPort);
    };
    processes[index] = Object.defineProperties({} as ServiceProcess, {
      ...Object.getOwnPropertyDescriptors(process),
      restart: { value: restart, enumerable: true },
      signal: { value: signal, enumerable: true },
    });
  }
  return balancer;
};
