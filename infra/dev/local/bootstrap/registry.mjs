import { inTools } from './places.mjs';
import { run } from './run.mjs';

/** The errors of npm and pnpm if no registry answers. */
const unreachable =
  /\b(E(?:AI_AGAIN|NOTFOUND|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|SOCKETTIMEOUT|IDLETIMEOUT)|ERR_SOCKET_TIMEOUT|UND_ERR_\w*TIMEOUT|FETCH_ERROR|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT_LOCALLY))\b/;

/** The person's own settings decide where packages come from; only the patience is ours. */
const impatient = ['--fetch-timeout=15000', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];

const cache = ['--cache', inTools('npm-cache')];

export const quietNpm = [
  ...impatient,
  ...cache,
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
];

/** Why the registry did not answer, in its client's word; undefined for any other failure. */
export const whyUnreachable = (error) => unreachable.exec(error.output ?? '')?.[1];

const registryInUse = async () =>
  (
    await run('npm', ['config', 'get', 'registry', ...cache, '--loglevel=silent']).catch(
      () => 'of this machine',
    )
  ).trim();

/** One sentence in place of a client's log, where the registry cannot be reached or sends something else. */
export const inOneSentence = async (error) => {
  const why = whyUnreachable(error);
  if (why) {
    return new Error(
      `The npm registry ${await registryInUse()} could not be reached (${why}). The first start downloads what the project needs from there; later ones need no network.\nConnect this machine, or set a proxy or another registry (npm config set registry https://...), and try again.`,
    );
  }
  if (/\bEINTEGRITY\b|ERR_PNPM_TARBALL_INTEGRITY/.test(error.output ?? '')) {
    return new Error(
      `The npm registry ${await registryInUse()} sent a package that is not the one this project was tested with: its hash differs, so it was not installed.\nTry another registry (npm config set registry https://...), and tell its operator.\n${error.output}`,
    );
  }
  return error;
};

/** Asks for one small thing, so that a network that swallows everything is noticed before much is asked for. */
export const whyNotReachable = async (options) => {
  try {
    await run('npm', ['view', 'pnpm', 'dist-tags.latest', ...quietNpm], options);
    return undefined;
  } catch (error) {
    return whyUnreachable(error) ? error : undefined;
  }
};
