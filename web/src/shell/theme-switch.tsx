import { setTheme, type Theme, useTheme } from '../lib/theme.ts';

const THEMES: { id: Theme; title: string }[] = [
  { id: 'system', title: 'Auto' },
  { id: 'light', title: 'Light' },
  { id: 'dark', title: 'Dark' },
];

export function ThemeSwitch() {
  const theme = useTheme();
  return (
    <fieldset className="segmented segmented-small">
      <legend className="visually-hidden">Colours</legend>
      {THEMES.map(({ id, title }) => (
        <label key={id}>
          <input
            type="radio"
            name="theme"
            value={id}
            checked={theme === id}
            onChange={() => setTheme(id)}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  );
}
