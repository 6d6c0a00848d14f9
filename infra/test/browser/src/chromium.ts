import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';

/** A Chromium that runs on this machine, and what its environment must say. */
export type Chromium = {
  readonly executable: string;
  readonly environment: Readonly<Record<string, string>>;
};

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../../..');
/** Its tarball has the browser and, for a system without them, its libraries, for Linux on x64. */
const PACKAGE = '@sparticuz/chromium';
const systemPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const unpackArchive = async (source: string, folder: string): Promise<void> => {
  const tar = path.join(folder, 'archive.tar');
  mkdirSync(folder, { recursive: true });
  writeFileSync(tar, brotliDecompressSync(readFileSync(source)));
  await run('tar', ['xf', tar, '-C', folder]);
  rmSync(tar);
};

/** The fonts of the package, for a system without any. */
const renderFontConfig = (folder: string): string =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`;

/** Unpacks the package once for each of its versions: 200 MB, some seconds. */
const unpackPackage = async (): Promise<Chromium> => {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const archives = path.join(entry, '../../bin');
  const { version } = JSON.parse(readFileSync(path.join(entry, '../../package.json'), 'utf8'));
  const folder = path.join(root, '.local/tools/chromium', version);
  const chromium = {
    executable: path.join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: path.join(folder, 'lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  };
  if (existsSync(folder)) return chromium;
  const unpacking = `${folder}.unpacking-${process.pid}`;
  await unpackArchive(path.join(archives, 'al2023.tar.br'), unpacking);
  // Its software renderer stands beside the browser.
  await unpackArchive(path.join(archives, 'swiftshader.tar.br'), unpacking);
  await unpackArchive(path.join(archives, 'fonts.tar.br'), unpacking);
  writeFileSync(path.join(unpacking, 'fonts.conf'), renderFontConfig(folder));
  const browser = path.join(unpacking, 'chromium');
  writeFileSync(browser, brotliDecompressSync(readFileSync(path.join(archives, 'chromium.br'))));
  chmodSync(browser, 0o755);
  try {
    renameSync(unpacking, folder);
  } catch {
    // Another process has unpacked it meanwhile.
    rmSync(unpacking, { recursive: true, force: true });
  }
  return chromium;
};

/** CHROMIUM_PATH, else the one of the system, else the one of the package; null if none runs here. */
export const findChromium = async (environment: NodeJS.ProcessEnv = process.env): Promise<Chromium | null> => {
  const browserPath = [environment.CHROMIUM_PATH, ...systemPlaces].find((place) => place && existsSync(place));
  if (browserPath) return { executable: browserPath, environment: {} };
  return process.platform === 'linux' && process.arch === 'x64' ? unpackPackage() : null;
};
