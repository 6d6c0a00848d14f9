import { nearestName } from '@tds/http-api';
import { PROVISIONER, readStreamLimits } from '@tds/messaging/internals';
import type { Config } from '@tds/provisioning';

type Configs = Readonly<Record<string, Config>>;

const advice = (name: string, known: readonly string[]): string => {
  const near = nearestName(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
};

const problemWith = (setting: string, configs: Configs, fixedNames: readonly string[]): string | undefined => {
  const [name = '', service] = setting.split('.').toReversed();
  if (service !== undefined && !(service in configs))
    return `${setting}: there is no service ${service}.${advice(service, Object.keys(configs))}`;
  const readNames = Object.entries(configs).flatMap(([each, { variables }]) =>
    service === undefined || service === each ? variables : [],
  );
  const settable = readNames.filter((each) => !fixedNames.includes(each));
  if (settable.includes(name)) return undefined;
  if (readNames.includes(name)) return `${setting}: the installation makes it, and no setting changes it.`;
  return `${setting}: ${service ?? 'no service'} ${service ? 'does not read' : 'reads'} it.${advice(name, settable)}`;
};

/** Throws an error that names each setting that no service reads, and the nearest that one does; `fixedNames` are none. */
export const refuseUnknownSettings = (
  settings: NodeJS.ProcessEnv,
  configs: Configs,
  fixedNames: readonly string[],
): void => {
  const problems = Object.keys(settings).flatMap((setting) => problemWith(setting, configs, fixedNames) ?? []);
  if (problems.length > 0) throw new Error(problems.join('\n'));
};

/** The bytes that each broker has to store. Throws an error if so many brokers could not hold the streams of these settings. */
export const readStoreBytes = (settings: NodeJS.ProcessEnv, brokers: number): number => {
  const { replicas, storeBytes } = readStreamLimits(PROVISIONER, settings);
  if (replicas <= brokers) return storeBytes;
  throw new Error(`EVENTS_REPLICAS: expected at most ${brokers}, the brokers that there are`);
};

/** A simulator stands in for each of these. */
const REAL = [
  'SMTP_URL',
  'PLATFORM_ORIGIN',
  'STRIPE_API_ORIGIN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRETS',
];
/** Hosts and addresses of documents. */
const EXAMPLE = /\bexample\.(?:com|net|org)\b|\b192\.0\.2\.\d/i;

/** Throws an error that names what production would leave to a simulator, or has from the example of a page. */
export const refuseTrial = (settings: NodeJS.ProcessEnv): void => {
  if (settings.NODE_ENV !== 'production') return;
  const names = [
    ...REAL.filter((name) => !settings[name]),
    ...Object.keys(settings).filter((name) => EXAMPLE.test(settings[name] ?? '')),
  ];
  if (names.length > 0) throw new Error(`production needs values of your own: ${names.join(', ')}`);
};

/** What production may not start by `.env` (`variables`); `alerts` is the file that says where alerts go. */
export const findTrialContainers = (variables: NodeJS.ProcessEnv, alerts: string): string | undefined => {
  const profiles = (variables.COMPOSE_PROFILES ?? '').split(',');
  if (profiles.includes('trial'))
    return 'COMPOSE_PROFILES: the profile "trial" has simulators; take it out of .env';
  if (profiles.includes('observability') && /mail-catcher|localhost/.test(alerts))
    return 'ALERTMANAGER_CONFIG: this file sends alerts to the mailbox of a trial';
  return undefined;
};
