/** Browsers list time zones by names that were replaced years ago. Source: `backward` of the IANA time zone database. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

export const zoneName = (zone: string): string => renamed[zone] ?? zone;

/** All that the browser knows by their names of today, behind the first ones. */
export const zoneNames = (...first: readonly string[]): string[] => [
  ...new Set([...first, 'UTC', ...Intl.supportedValuesOf('timeZone').map(zoneName).toSorted()].map(zoneName)),
];
