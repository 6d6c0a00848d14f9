import type { Redis } from 'ioredis';

/** No password or a wrong one; a command or a key that is not this user's, also inside of a script. */
const pattern = /^(NOAUTH|NOPERM|WRONGPASS)|user executing the script can't/;

/**
 * What the server refuses this user since the connection last became ready: with other rights or another password come new
 * connections. `onFirst` is told each once.
 */
export const watchRefusals = (
  redis: Redis,
  onFirst: (refusal: string) => void,
): (() => readonly string[]) => {
  const refused = new Set<string>();
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const sent = send(command, stream);
    command.promise.catch(({ message }: Error) => {
      const refusal = `redis refuses ${command.name}: ${message}`;
      // Whatever else went wrong is the caller's, who has the same promise.
      if (!pattern.test(message) || refused.has(refusal)) return;
      refused.add(refusal);
      onFirst(refusal);
    });
    return sent;
  };
  redis.on('ready', () => refused.clear());
  return () => [...refused];
};
