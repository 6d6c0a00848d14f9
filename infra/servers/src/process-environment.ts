/** Where programs are, what is compiled already, and how the C library keeps memory: all that a command gives to its processes. */
const names = ['PATH', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_'];

/** What a process of ours takes from the environment of this one, and nothing else: its settings are what it is given. */
export const processEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
