/** Own drawings on a grid of 24, as strokes. */
const shapes = {
  overview: 'M4 19V11M10 19V5M16 19v-6M21 19H3',
  read: 'M12 7c-2-1.500-5-2-9-2v13c4 0 7 .5 9 2 2-1.500 5-2 9-2V5c-4 0-7 .5-9 2ZM12 7v13',
  library: 'M5 4v16M9 4v16M13 4h3v16h-3zM17.500 5l3 14.500',
  keys: 'M14.5 9.5a4.500 4.500 0 1 0-3.900 4.450L12.500 16H15v2.500h2.500V21H21v-3.500l-6.600-6.600c.07-.45.1-.9.1-1.400ZM8.500 8.500h.01',
  jobs: 'M4 6h16M4 12h16M4 18h9',
  monitors:
    'M12 5c5 0 8.500 4.200 9.500 7-1 2.800-4.500 7-9.500 7S3.500 14.800 2.500 12C3.500 9.200 7 5 12 5Zm0 4.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600Z',
  billing: 'M3 6h18v12H3zM3 10h18M7 14.500h4',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 4.500v5M8 14.500v5',
  docs: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5',
  check: 'M5 12.500 10 17.500 19.500 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  plus: 'M12 5v14M5 12h14',
} as const;

export type IconName = keyof typeof shapes;

export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={shapes[name]} />
  </svg>
);
