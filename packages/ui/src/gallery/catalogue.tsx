import '../charts/figures.css';
import '../charts/charts.css';
import './gallery.css';
import { useLayoutEffect } from 'react';
import type { ComponentProps } from './build/component-props.ts';
import type { ExampleSources } from './build/example-sources.ts';
import { FilterBar, PageHeader, SelectField } from '../index.ts';
import { changeOf, releasedProps, type Released } from './changes.ts';
import { ComponentPart } from './component-part.tsx';
import { behaviour, groups, once } from './groups.ts';
import { useChoice } from './use-choice.ts';

export interface CatalogueProps {
  readonly sources: ExampleSources;
  readonly components: Readonly<Record<string, ComponentProps>>;
  /** The components of the last release. */
  readonly released: Released;
}

const everything = 'all';
const groupOptions = [
  { value: everything, label: 'All components' },
  ...Object.entries(groups).map(([value, { title }]) => ({ value, label: title })),
];
const themeOptions = [
  { value: 'system', label: 'As on this device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const directionOptions = [
  { value: 'ltr', label: 'Left to right' },
  { value: 'rtl', label: 'Right to left' },
];
const valuesOf = (options: readonly { readonly value: string }[]) => options.map(({ value }) => value);

/** Sets an attribute of the whole page while it is open. @param value - `undefined` leaves it as it is */
function usePageAttribute(name: string, value: string | undefined): void {
  useLayoutEffect(() => {
    if (value === undefined) return undefined;
    const page = document.documentElement;
    const before = page.getAttribute(name);
    page.setAttribute(name, value);
    return () => {
      if (before === null) page.removeAttribute(name);
      else page.setAttribute(name, before);
    };
  }, [name, value]);
}

/** Every component of the kit in its states, in either theme and direction, with code, props and what changed. */
export function Catalogue({ sources, components, released }: CatalogueProps) {
  const [group, setGroup] = useChoice('group', valuesOf(groupOptions));
  const [theme, setTheme] = useChoice('theme', valuesOf(themeOptions));
  const [direction, setDirection] = useChoice('dir', valuesOf(directionOptions));
  usePageAttribute('data-theme', theme === 'system' ? undefined : theme);
  usePageAttribute('dir', direction === 'ltr' ? undefined : direction);
  const choices = [
    { label: 'Group', options: groupOptions, value: group, choose: setGroup },
    { label: 'Theme', options: themeOptions, value: theme, choose: setTheme },
    { label: 'Direction', options: directionOptions, value: direction, choose: setDirection },
  ];
  const shown = Object.entries(groups).filter(([key]) => group === everything || key === group);
  return (
    <main id="main" tabIndex={-1} className="ui-gallery">
      <PageHeader
        title="Design system"
        count={Object.keys(components).length}
        description="Every component in its states, with the code to copy."
      />
      <FilterBar label="What to show, and how">
        {choices.map(({ label, options, value, choose }) => (
          <SelectField
            key={label}
            label={label}
            options={options}
            value={value}
            onChange={(event) => choose(event.target.value)}
          />
        ))}
      </FilterBar>
      {shown.map(([key, { title, examples }]) => (
        <section key={key} className="ui-gallery-group" aria-labelledby={`group-${key}`}>
          <h2 id={`group-${key}`}>{title}</h2>
          <nav aria-label={title} className="ui-gallery-names">
            {Object.keys(examples).map((name) => (
              <a key={name} href={`#${name}`}>
                {name}
              </a>
            ))}
          </nav>
          {Object.entries(examples).map(([name, states]) => {
            const component = components[name];
            return (
              <ComponentPart
                key={name}
                name={name}
                states={states}
                sources={sources[name] ?? {}}
                component={component}
                behaviour={behaviour[name]}
                change={component && changeOf(releasedProps(component), released.components[name])}
                release={released.release}
                hidden={once.has(name)}
              />
            );
          })}
        </section>
      ))}
    </main>
  );
}
