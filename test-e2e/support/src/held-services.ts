import { type loadServices, startServices, untilAllReady } from '@tds/local';

type Environments = Readonly<Record<string, NodeJS.ProcessEnv>>;
type Startable = Awaited<ReturnType<typeof loadServices>>;

/** How long a service may take to work again after its servers were hurt. */
const READY_WITHIN_MS = 120_000;

/** The services of a system in this process, of which a test may put others, or none, in the place of some. */
export const holdServices = async (
  environmentOf: Environments,
  load: typeof loadServices,
  withinMs = READY_WITHIN_MS,
) => {
  const { services: started } = await startServices(await load(), environmentOf);
  const running = new Map(Object.entries(started));
  const replaced = new Set<string>();
  const end = async (names: readonly string[]) => {
    for (const name of names.toReversed()) {
      await running.get(name)?.stop();
      running.delete(name);
    }
  };
  const start = async (services: Startable, settings: NodeJS.ProcessEnv = {}) => {
    const named = services.map(
      ({ surface: { name } }) => [name, { ...environmentOf[name], ...settings }] as const,
    );
    const { services: begun } = await startServices(services, Object.fromEntries(named));
    for (const [name, service] of Object.entries(begun)) running.set(name, service);
  };
  const named = async (names: Iterable<string>) => {
    const wanted = new Set(names);
    return (await load()).filter(({ surface }) => wanted.has(surface.name));
  };
  const replaceServices = async (
    names: readonly string[],
    services: Startable = [],
    settings: NodeJS.ProcessEnv = {},
  ) => {
    for (const name of names) replaced.add(name);
    await end(names);
    await start(services, settings);
  };
  return {
    healthOf: (name: string) => String(running.get(name)?.addresses.health),
    /** Ends these services; those given start in their places, with these settings. */
    replaceServices,
    /** Starts these again with settings of a test. */
    restartServices: async (names: readonly string[], settings: NodeJS.ProcessEnv) =>
      replaceServices(names, await named(names), settings),
    /** Starts those again that were there first, and waits until all work. */
    restoreServices: async () => {
      await end([...replaced]);
      await start(await named(replaced));
      replaced.clear();
      const targets = [...running].map(([service, { addresses }]) => ({
        service,
        health: String(addresses.health),
      }));
      await untilAllReady(targets, { withinMs });
    },
    stop: () => end([...running.keys()]),
  };
};
