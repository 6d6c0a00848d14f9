import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { toolsDir, unpackPackages } from '@tds/servers';
import { unpackPrograms } from '@tds/servers/testing';

const run = promisify(execFile);
const machine = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
const readers =
  'ffmpeg mpv vlc-bin vlc-plugin-base gstreamer1.0-tools gstreamer1.0-plugins-base fonts-dejavu-core bibutils biber csvkit miller';
/** Pandoc reads RIS from version 3 on, which needs a newer C library: it is started with its own. */
const pandocPackages = 'pandoc pandoc-data libc6 libffi8 libgmp10 liblua5.4-0 libnuma1 libyaml-0-2 zlib1g';

/** A folder that is filled if it is missing. Every machine gets the programs of the same release. */
const fill = async (name: string, unpackInto: (target: string) => Promise<void>): Promise<string> => {
  const target = path.join(toolsDir, name);
  if (!existsSync(target)) await unpackInto(target);
  return target;
};

/** One font, so that a text takes the same pixels in each drawing. */
const fontsOf = (root: string, dir: string): string => `<?xml version="1.0"?>
<fontconfig><dir>${root}/usr/share/fonts/truetype/dejavu</dir><cachedir>${dir}/fonts</cachedir>
<match target="pattern"><edit name="family" mode="prepend" binding="strong"><string>DejaVu Sans</string></edit></match>
</fontconfig>`;

const environmentOf = (root: string, dir: string): NodeJS.ProcessEnv => {
  const libraries = path.join(root, 'usr/lib', machine);
  const folders = ['', '/blas', '/lapack', '/pulseaudio', '/vlc'].map((name) => libraries + name);
  const perl = [
    'usr/share/perl5',
    `usr/lib/${machine}/perl5/5.36`,
    'usr/share/perl/5.36',
    `usr/lib/${machine}/perl/5.36`,
  ];
  return {
    PATH: `${root}/usr/bin:${process.env.PATH}`,
    LD_LIBRARY_PATH: [...folders, `${root}/lib/${machine}`, `${root}/usr/lib`].join(':'),
    FONTCONFIG_FILE: `${dir}/fonts.conf`,
    VLC_PLUGIN_PATH: `${libraries}/vlc/plugins`,
    GST_PLUGIN_SYSTEM_PATH: `${libraries}/gstreamer-1.0`,
    GST_PLUGIN_SCANNER: `${libraries}/gstreamer1.0/gstreamer-1.0/gst-plugin-scanner`,
    GST_REGISTRY: `${dir}/gst`,
    PERL5LIB: [...perl, `usr/lib/${machine}/perl-base`].map((name) => path.join(root, name)).join(':'),
    PYTHONHOME: `${root}/usr`,
    HOME: dir,
    LC_ALL: 'C.UTF-8',
  };
};

/** VLC does not start as root, who owns everything in a container. */
const writeVlc = (root: string, dir: string): void => {
  const program = readFileSync(path.join(root, 'usr/bin/vlc'), 'latin1').replaceAll('geteuid', 'getppid');
  writeFileSync(path.join(dir, 'vlc'), program, 'latin1');
  chmodSync(path.join(dir, 'vlc'), 0o755);
};

export type Programs = {
  /** A folder for files, in which programs work. */
  readonly dir: string;
  /** The output of a program, or what it says instead; rejects if it fails. */
  readonly read: (command: string, ...args: string[]) => Promise<string>;
  readonly write: (name: string, text: string) => string;
};

type Places = Readonly<Record<'root' | 'newer' | 'firefox' | 'dir', string>>;

/** How programs are started that need more than their name. */
const startsOf = ({ root, newer, firefox, dir }: Places): Readonly<Record<string, readonly string[]>> => {
  const newerLibraries = `${newer}/usr/lib/${machine}`;
  const loader = path.join(
    newerLibraries,
    machine.startsWith('a') ? 'ld-linux-aarch64.so.1' : 'ld-linux-x86-64.so.2',
  );
  return {
    vlc: [`${dir}/vlc`],
    firefox: [
      `${firefox}/usr/lib/firefox-esr/firefox-esr`,
      '--headless',
      '--no-remote',
      '--profile',
      `${dir}/firefox`,
    ],
    biber: [`${root}/usr/bin/perl`, `${root}/usr/bin/biber`],
    csvjson: [`${root}/usr/bin/python3`, `${root}/usr/bin/csvjson`],
    pandoc: [
      loader,
      '--library-path',
      newerLibraries,
      `${newer}/usr/bin/pandoc`,
      `--data-dir=${newer}/usr/share/pandoc/data`,
    ],
  };
};

/** Programs of Debian, unpacked without root. */
export const findPrograms = async (): Promise<Programs> => {
  const root = await fill('readers', (target) => unpackPrograms(readers.split(' '), target, 'bookworm'));
  const newer = await fill('readers-pandoc', (target) =>
    unpackPackages(pandocPackages.split(' '), target, { release: 'trixie' }),
  );
  const dir = mkdtempSync(path.join(tmpdir(), 'tds-readers-'));
  writeFileSync(path.join(dir, 'fonts.conf'), fontsOf(root, dir));
  writeVlc(root, dir);
  const env = environmentOf(root, dir);
  const firefox = await fill('readers-firefox', (target) =>
    unpackPrograms(['firefox-esr'], target, 'bookworm'),
  );
  const starts = startsOf({ root, newer, firefox, dir });
  mkdirSync(path.join(dir, 'firefox'));
  const read = async (name: string, ...args: string[]): Promise<string> => {
    const [command = name, ...first] = starts[name] ?? [`${root}/usr/bin/${name}`];
    const ofFirefox = {
      ...env,
      LD_LIBRARY_PATH: `${firefox}/usr/lib/${machine}:${firefox}/usr/lib`,
      MOZ_DISABLE_CONTENT_SANDBOX: '1',
    };
    const options = {
      cwd: dir,
      env: name === 'firefox' ? ofFirefox : env,
      maxBuffer: 2 ** 28,
      timeout: 120_000,
    };
    const { stdout, stderr } = await run(command, [...first, ...args], options);
    return stdout || stderr;
  };
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(dir, name), text);
    return path.join(dir, name);
  };
  return { dir, read, write };
};
