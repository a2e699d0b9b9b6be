import '../charts/figures.css';
import '../charts/charts.css';
import './gallery.css';
import { useLayoutEffect } from 'react';
import { PageHeader } from '../index.ts';
import type { Examples } from './example.ts';
import { actions } from './examples/actions.tsx';
import { charts } from './examples/charts.tsx';
import { choices } from './examples/choices.tsx';
import { dialogs } from './examples/dialogs.tsx';
import { fields } from './examples/fields.tsx';
import { graphics } from './examples/graphics.tsx';
import { lists } from './examples/lists.tsx';
import { records } from './examples/records.tsx';
import { states } from './examples/states.tsx';

/** The parts of the gallery, by the name in the page's address. */
const groups: Readonly<Record<string, Examples>> = {
  actions,
  fields,
  choices,
  states,
  records,
  lists,
  dialogs,
  charts,
  graphics,
};

/**
 * Every component of the design system in its states, for developers; the shell shows it at /__ui in development. The address
 * chooses one part, a theme and a direction: `?group=fields&theme=dark&dir=rtl`.
 */
export default function Gallery() {
  const chosen = new URLSearchParams(location.search);
  const [group, theme, direction] = ['group', 'theme', 'dir'].map((name) => chosen.get(name));
  useLayoutEffect(() => {
    const { dataset, dir } = document.documentElement;
    const before = dataset['theme'];
    if (theme) dataset['theme'] = theme;
    if (direction) document.documentElement.dir = direction;
    return () => {
      if (before === undefined) delete dataset['theme'];
      else dataset['theme'] = before;
      document.documentElement.dir = dir;
    };
  }, [theme, direction]);
  return (
    <main id="main" tabIndex={-1} className="ui-gallery">
      <PageHeader title="Design system" description="Every component in its states." />
      {Object.entries(groups)
        .filter(([name]) => !group || name === group)
        .map(([name, examples]) => (
          <section key={name} aria-labelledby={`group-${name}`}>
            <h2 id={`group-${name}`}>
              <a href={`?group=${name}`}>{name}</a>
            </h2>
            {Object.entries(examples).map(([component, shown]) => (
              <section key={component} aria-labelledby={component}>
                <h3 id={component}>{component}</h3>
                {Object.entries(shown).map(([state, Example]) => (
                  <div key={state} className="ui-gallery-example">
                    <p className="ui-hint">{state}</p>
                    <Example />
                  </div>
                ))}
              </section>
            ))}
          </section>
        ))}
    </main>
  );
}
