export { renderComposeFile } from './compose-file.ts';
export { listNetworks, type Network, PORTS } from './networks.ts';
export { takenPorts } from './published-ports.ts';
