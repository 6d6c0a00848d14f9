import { describe, expect, it } from '@jest/globals';
import type { Log } from '@tds/base';
import { createStopList } from './life.ts';

/** A log that keeps what was an error. */
const errorsOf = () => {
  const errors: { message: string; part: unknown }[] = [];
  const ignore = () => {};
  const log: Log = {
    info: ignore,
    warn: ignore,
    error: (message, fields) => void errors.push({ message, part: fields?.part }),
    child: () => log,
  };
  return { log, errors };
};

describe('stopping', () => {
  it('goes backwards through what was started, each part after the one before has ended', async () => {
    const { log } = errorsOf();
    const stops = createStopList(log);
    const events: string[] = [];
    for (const name of ['broker', 'relay', 'workers'])
      stops.add(name, async () => {
        events.push(`${name} stops`);
        await new Promise((resolve) => setImmediate(resolve));
        events.push(`${name} has stopped`);
      });
    await stops.run();
    expect(events).toEqual([
      ...['workers stops', 'workers has stopped'],
      ...['relay stops', 'relay has stopped'],
      ...['broker stops', 'broker has stopped'],
    ]);
  });

  it('reports a part that fails, and stops the others', async () => {
    const { log, errors } = errorsOf();
    const stops = createStopList(log);
    const stopped: string[] = [];
    stops.add('broker', async () => void stopped.push('broker'));
    stops.add('relay', () => Promise.reject(new Error('no broker')));
    stops.add('server', () => {
      throw new Error('not running');
    });
    await stops.run();
    expect(stopped).toEqual(['broker']);
    expect(errors).toEqual([
      { message: 'stopping failed', part: 'server' },
      { message: 'stopping failed', part: 'relay' },
    ]);
  });

  it('happens once, however often it is asked for; all who ask wait for its end', async () => {
    const stops = createStopList(errorsOf().log);
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    let ended = 0;
    stops.add('relay', async () => {
      runs += 1;
      await gate.promise;
    });
    const asked = [stops.run(), stops.run()].map((stop) =>
      stop.then(() => {
        ended += 1;
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(0);
    gate.resolve();
    await Promise.all(asked);
    expect([runs, ended]).toEqual([1, 2]);
  });

  it('also stops what was added while it ran', async () => {
    const stops = createStopList(errorsOf().log);
    const stopped: string[] = [];
    stops.add('workers', async () => {
      stops.add('late', async () => void stopped.push('late'));
      stopped.push('workers');
    });
    await stops.run();
    expect(stopped).toEqual(['workers', 'late']);
  });
});
