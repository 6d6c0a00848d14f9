import { readConfig } from './config.ts';
import { startPlatformSimulator } from './start-platform-simulator.ts';

const simulator = await startPlatformSimulator(readConfig(process.env));
process.stdout.write(`${simulator.origin}\n`);

const stop = (): void => {
  void simulator.close();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
