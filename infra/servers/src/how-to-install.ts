import { existsSync, readFileSync } from 'node:fs';

const makers =
  'https://redis.io/docs/latest/operate/oss_and_stack/install and https://docs.nats.io/running-a-nats-service/introduction/installation';

/** By the family of the system. Fedora's family packages no NATS; the makers of NATS do. */
const commands: readonly (readonly [family: RegExp, command: string])[] = [
  [/debian|ubuntu/, 'sudo apt-get install redis-server nats-server'],
  [
    /fedora|rhel|centos|amzn/,
    'sudo dnf install redis, and the .rpm of https://github.com/nats-io/nats-server/releases',
  ],
  [/alpine/, 'sudo apk add redis nats-server'],
  [/suse/, 'sudo zypper install redis, and the .rpm of https://github.com/nats-io/nats-server/releases'],
  [/darwin/, 'brew install redis nats-server'],
];

/** `ID` and `ID_LIKE` of /etc/os-release, or the platform if that file is missing. */
const systemFamily = (): string => {
  if (!existsSync('/etc/os-release')) return process.platform;
  const lines = readFileSync('/etc/os-release', 'utf8').split('\n');
  return lines.filter((line) => /^ID(_LIKE)?=/.test(line)).join(' ');
};

/** Names the missing programs, why they were not fetched, and how to install them on this system. */
export const howToInstall = (
  missing: readonly string[],
  why: string,
  family: string = systemFamily(),
): string => {
  const command = commands.find(([pattern]) => pattern.test(family))?.[1];
  return [
    `Missing on this machine: ${missing.join(' and ')}.`,
    `Not fetched: ${why}`,
    `To install: ${command ?? `see ${makers}`}`,
    'Whatever is on PATH is used.',
  ].join('\n');
};
