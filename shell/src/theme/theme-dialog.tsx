import { Button, Dialog } from '@clinic/ui';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { chooseTheme, chosenTheme, themes, type Theme } from './theme.ts';

const labels: Readonly<Record<Theme, string>> = { system: 'Same as my device', light: 'Light', dark: 'Dark' };

/** Shows the choice outside the application's tree: the button that opens it is in the first file of every page. */
export function showThemeDialog(): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  root.render(
    <ThemeDialog
      onClose={() => {
        root.unmount();
        place.remove();
      }}
    />,
  );
}

/** Choice of the theme; it applies at once. */
function ThemeDialog({ onClose }: { readonly onClose: () => void }) {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <Dialog open title="Theme" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <fieldset className="grid gap-1">
        <legend className="sr-only">Theme</legend>
        {themes.map((one) => (
          <label key={one} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name="theme"
              className="size-5 accent-primary"
              checked={theme === one}
              onChange={() => {
                chooseTheme(one);
                setTheme(one);
              }}
            />
            {labels[one]}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}
