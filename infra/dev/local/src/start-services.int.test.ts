import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface, type Surface } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { startTestNats, type TestNats } from '@tds/test-kit';
import { startServices } from './start-services.ts';

const nothing = { commands: {}, tasks: {}, subscriptions: {}, broadcasts: {}, schedules: {} };

describe('services that share a process', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterAll(() => nats.stop());

  const environments = () => {
    const environment = { NATS_URL: nats.servers, LOG_LEVEL: 'silent' };
    return { archiver: environment, search: environment };
  };
  /** Notes when it stops. */
  const definitionOf = (name: 'archiver' | 'search', stopped: string[], failure?: string) => ({
    surface: defineSurface(defineContract(name, {})),
    start: async (kit: Kit<Surface>) => {
      kit.onStop('part', async () => void stopped.push(name));
      if (failure !== undefined) throw new Error(failure);
      return nothing;
    },
  });

  it('stop before those that started earlier', async () => {
    const stopped: string[] = [];
    const definitions = [definitionOf('archiver', stopped), definitionOf('search', stopped)];
    const running = await startServices(definitions, environments());
    expect(Object.keys(running.addresses)).toEqual(['archiver', 'search']);
    await running.stop();
    expect(stopped).toEqual(['search', 'archiver']);
  });

  it('take the others along if one cannot start', async () => {
    const stopped: string[] = [];
    const definitions = [definitionOf('archiver', stopped), definitionOf('search', stopped, 'no index')];
    const starting = startServices(definitions, environments());
    await expect(starting).rejects.toThrow('search could not start: Error: no index');
    expect(stopped.toSorted()).toEqual(['archiver', 'search']);
  });
});
