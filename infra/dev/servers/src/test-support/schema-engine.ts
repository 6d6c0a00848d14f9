import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import { readCatalogChars } from './catalog-chars.ts';

/** The connections that Prisma's schema engine works through. */
const engineConnections = (databaseUrl: string) => {
  const opened: SqlDriverAdapter[] = [];
  const connect = async (): Promise<SqlDriverAdapter> => {
    const adapter = await new PrismaPg({ connectionString: databaseUrl }).connect();
    opened.push(adapter);
    return readCatalogChars(adapter, adapter.underlyingDriver());
  };
  const connectToShadowDb = () =>
    Promise.reject(new Error('Migrations are compared without a shadow database'));
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect,
    connectToShadowDb,
  };
  return { factory, close: () => Promise.all(opened.map((connection) => connection.dispose())) };
};

type SchemaEngine = Awaited<ReturnType<typeof engine.SchemaEngine.new>>;

/** The part of the global that is used here: its types come with a browser's, which this is not. */
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: {
    instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: unknown } }>;
  };
};

/** The functions that the engine needs from JavaScript; its timers, of which it clears none, must not hold the process for ten seconds. */
const engineImports = (): object => {
  const unrefTimer = (callback: () => void, delayMs: number) => setTimeout(callback, delayMs).unref();
  const patch = ([name, value]: [string, unknown]) => [
    name,
    name.startsWith('__wbg_setTimeout') ? unrefTimer : value,
  ];
  return Object.fromEntries(Object.entries(engine).map(patch));
};

/** The function that the engine calls when it panics; without it, they are lost in another error. */
const panics = { set_message: (message: string) => void process.stderr.write(`${message}\n`) };

/** The package's own entry imports its .wasm as a module, which Node does not do by default: load it by hand, once. */
const loadEngine = async (): Promise<void> => {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const code = readFileSync(entry.replace(/\.js$/, '.wasm'));
  const { instance } = await webAssembly.instantiate(code, { './schema_engine_bg.js': engineImports() });
  const exports = instance.exports as { __wbindgen_start: () => void };
  (engine as unknown as { __wbg_set_wasm: (exports: unknown) => void }).__wbg_set_wasm(exports);
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics });
  exports.__wbindgen_start();
};

let loading: Promise<void> | undefined;

/** Uses Prisma's own engine, as WebAssembly, over connections of `pg`, and closes them. */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  loading ??= loadEngine();
  await loading;
  const { factory, close } = engineConnections(databaseUrl);
  const adapter = bindMigrationAwareSqlAdapterFactory(factory);
  const schemaEngine = await engine.SchemaEngine.new({ datamodels: undefined }, () => {}, adapter);
  try {
    return await use(schemaEngine);
  } finally {
    schemaEngine.free();
    await close();
  }
}
