import '../charts/figures.css';
import '../charts/charts.css';
import './gallery.css';
import { useLayoutEffect } from 'react';
import { PageHeader } from '../index.ts';
import type { Examples } from './example.ts';
import { actions } from './examples/actions.tsx';
import { charts } from './examples/charts.tsx';
import { graphics } from './examples/graphics.tsx';
import { choices } from './examples/choices.tsx';
import { dialogs } from './examples/dialogs.tsx';
import { fields } from './examples/fields.tsx';
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
 * Components in the states and with the texts that pages seldom show, for developers; the shell shows it at /__ui in
 * development. The address chooses one part and a direction: `?group=fields&dir=rtl`.
 */
export default function Gallery() {
  const [group, direction] = ['group', 'dir'].map((name) => new URLSearchParams(location.search).get(name));
  useLayoutEffect(() => {
    const { dir } = document.documentElement;
    if (direction) document.documentElement.dir = direction;
    return () => {
      document.documentElement.dir = dir;
    };
  }, [direction]);
  return (
    <main id="main" tabIndex={-1} className="ui-gallery">
      <PageHeader title="Design system" description="Components in the states that pages seldom show." />
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
