import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // a process that has ended meanwhile
  }
};

const parentOf = (pid: string): string => /^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? '';

/** A process and all that it has started, and what they have started. */
const findProcessTree = (pid: number): string[] => {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const family = [String(pid)];
  for (const member of family) family.push(...all.filter((each) => parentOf(each) === member));
  return family;
};

const socketsOf = (pid: string): string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // closed meanwhile
      }
    });
  } catch {
    return [];
  }
};

const LISTENS = '0A';

/** The addresses, as the kernel of Linux writes them, on which a process and its family take connections. */
export const findListeningAddresses = (pid: number): string[] => {
  const sockets = new Set(findProcessTree(pid).flatMap(socketsOf));
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) => read(table).trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTENS && sockets.has(String(inode)))
    .map(([, address = '']) => address.split(':')[0] ?? '');
};
