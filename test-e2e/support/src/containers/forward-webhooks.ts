import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { findProcessId } from './docker.ts';

/** Takes connections at a port of the loopback, and hands them on. */
const FORWARD = `
  const { connect, createServer } = require('node:net');
  const [port, host] = process.argv.slice(1);
  createServer((near) => {
    const far = connect(Number(port), host);
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.resetAndDestroy());
  }).listen(Number(port), '127.0.0.1', () => console.log('ready'));`;

/**
 * Webhooks go to loopback or to the Internet and nowhere between: a receiver on this machine is on the loopback of the container
 * that sends them as well, for as long as the container lives. Wants root.
 */
export const forwardWebhooks = async (
  container: string,
  to: { readonly host: string; readonly port: number },
): Promise<ChildProcess> => {
  const network = `--net=/proc/${await findProcessId(container)}/ns/net`;
  const words = [network, process.execPath, '-e', FORWARD, String(to.port), to.host];
  const forwarder = spawn('nsenter', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(forwarder.stdout, 'data');
  return forwarder;
};
