export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const NAME = 'theme';

/** What the customer chose on this browser; the pages of the site follow it too. */
export const currentTheme = (): Theme => themes.find((one) => one === localStorage.getItem(NAME)) ?? 'system';

export const applyTheme = (): void => {
  const theme = currentTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};

export const chooseTheme = (theme: Theme): void => {
  if (theme === 'system') localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, theme);
  applyTheme();
};
