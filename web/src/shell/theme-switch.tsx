import { Segmented } from '../components/segmented.tsx';
import { setTheme, useTheme } from '../lib/theme.ts';

const THEMES = [
  { value: 'system', title: 'Auto' },
  { value: 'light', title: 'Light' },
  { value: 'dark', title: 'Dark' },
] as const;

export const ThemeSwitch = () => (
  <Segmented legend="Colours" options={THEMES} value={useTheme()} choose={setTheme} />
);
