import { nearestName } from '@tds/http-api';
import type { Config } from '@tds/provisioning';

type Configs = Readonly<Record<string, Config>>;

const advice = (what: string, known: readonly string[]): string => {
  const near = nearestName(what, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
};

const problemWith = (given: string, configs: Configs, made: readonly string[]): string | undefined => {
  const [name = '', service] = given.split('.').toReversed();
  if (service !== undefined && !(service in configs))
    return `${given}: there is no service ${service}.${advice(service, Object.keys(configs))}`;
  const read = Object.entries(configs).flatMap(([each, { variables }]) =>
    service === undefined || service === each ? variables : [],
  );
  const settable = read.filter((each) => !made.includes(each));
  if (settable.includes(name)) return undefined;
  if (read.includes(name)) return `${given}: the installation makes it, and no setting changes it.`;
  return `${given}: ${service ?? 'no service'} ${service ? 'does not read' : 'reads'} it.${advice(name, settable)}`;
};

/** Throws an error that names each setting that no service reads, and the nearest that one does; `made` are none. */
export const refuseUnknownSettings = (
  settings: NodeJS.ProcessEnv,
  configs: Configs,
  made: readonly string[],
): void => {
  const problems = Object.keys(settings).flatMap((given) => problemWith(given, configs, made) ?? []);
  if (problems.length > 0) throw new Error(problems.join('\n'));
};
