import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { componentProps } from './build/component-props.ts';
import { exampleSources } from './build/example-sources.ts';
import { keepProps } from './build/keep-props.ts';
import { Catalogue, type CatalogueProps } from './catalogue.tsx';
import { changeOf, releasedProps } from './changes.ts';
import { behaviour, groups, once } from './groups.ts';

const kit = join(import.meta.dirname, '..');
let all: CatalogueProps;

beforeAll(async () => {
  const components = await componentProps(kit);
  all = {
    components,
    sources: await exampleSources(join(import.meta.dirname, 'examples')),
    released: {
      release: '2026-11-01',
      components: Object.fromEntries(
        Object.entries(components).map(([name, component]) => [name, releasedProps(component)]),
      ),
    },
  };
});
afterEach(() => history.replaceState(null, '', '/'));

function open(address: string, props: Partial<CatalogueProps> = {}): ReturnType<typeof render> {
  history.replaceState(null, '', address);
  return render(<Catalogue {...all} {...props} />);
}

describe('the catalogue', () => {
  const shown = Object.values(groups).flatMap(({ examples }) => Object.keys(examples));

  it('has every component of the kit once, and nothing else', () => {
    expect(shown.toSorted()).toEqual(Object.keys(all.components));
    expect([...Object.keys(behaviour), ...once].filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('has the code of every example', () => {
    const examples = Object.fromEntries(
      Object.values(groups).flatMap(({ examples: some }) =>
        Object.entries(some).map(([name, states]) => [name, Object.keys(states)]),
      ),
    );
    const withCode = Object.entries(all.sources).map(([name, states]) => [
      name,
      Object.keys(states).filter((state) => states[state]?.includes(`<${name}`)),
    ]);
    expect(Object.fromEntries(withCode)).toEqual({ ...examples, Icon: examples['Icon'] });
    expect(all.sources['Button']?.['Busy']).toBe('<Button busy>Saving...</Button>');
    expect(all.sources['Switch']?.['On']).toMatch(/^function SwitchDefault\(\) \{\n {2}const \[on, setOn\]/);
    expect(all.sources['EmailText']?.['In a sentence']).toBe(
      '<p>\n  We wrote to <EmailText email="mei.tanaka@paediatrics.clinic.example" />.\n</p>',
    );
  });

  it('shows every example, one heading of the page and no change right after a release', () => {
    open('/__ui');
    expect(screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)).toEqual([
      `Design system (${shown.length})`,
    ]);
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(shown),
    );
    expect(screen.queryByText(/ since 2026-11-01$/)).toBeNull();
  });

  it('tells what is new and what changed since the last release', () => {
    const { busy: _new, ...before } = {
      busy: '',
      ...all.released.components['Button'],
      size: '?string',
      dense: '?boolean',
    };
    open('/__ui?group=actions', {
      released: { release: '2026-11-01', components: { ...all.released.components, Button: before } },
    });
    const part = screen.getByRole('region', { name: 'Button' });
    expect(within(part).getByText('Changed since 2026-11-01').tagName).toBe('SPAN');
    expect(
      within(part)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['busy is new', 'size was ?string', 'dense is gone']);
    expect(changeOf({}, undefined)).toEqual({ kind: 'new', lines: [] });
  });

  it('keeps group, theme and direction in the address, and gives the page back as it was', async () => {
    const user = userEvent.setup();
    const page = document.documentElement;
    page.dataset['theme'] = 'light';
    const { unmount } = open('/__ui?group=dialogs&theme=neon');
    expect(screen.queryByRole('region', { name: 'Button' })).toBeNull();
    await user.selectOptions(screen.getByLabelText('Theme'), 'Dark');
    await user.selectOptions(screen.getByLabelText('Direction'), 'Right to left');
    expect(location.search).toBe('?group=dialogs&theme=dark&dir=rtl');
    expect([page.dataset['theme'], page.dir]).toEqual(['dark', 'rtl']);
    await user.selectOptions(screen.getByLabelText('Group'), 'All components');
    expect(location.search).toBe('?theme=dark&dir=rtl');
    unmount();
    expect([page.dataset['theme'], page.hasAttribute('dir')]).toEqual(['light', false]);
    delete page.dataset['theme'];
  });

  it('copies the code of an example', async () => {
    const user = userEvent.setup();
    open('/__ui?group=actions');
    const part = screen.getByRole('region', { name: 'Button' });
    await user.click(within(part).getByText('of Button, Busy'));
    await user.click(await within(part).findByRole('button', { name: 'Copy the code of Button, Busy' }));
    expect(await navigator.clipboard.readText()).toBe('<Button busy>Saving...</Button>');
    expect((await within(part).findByText('Copied')).tagName).toBe('OUTPUT');
  });
});

describe('the props of a component', () => {
  it('are read with their types, comments and those they inherit', () => {
    expect(all.components['Rating']).toEqual({
      about: "Stars filled to the value, with the number beside them; read as '4.5 out of 5 stars'.",
      props: [
        { name: 'value', type: 'number', optional: false, about: '' },
        { name: 'size', type: 'number', optional: true, about: '' },
      ],
      also: [],
    });
    const button = all.components['Button'];
    expect(button?.also).toEqual(["Omit<ComponentPropsWithRef<'button'>, 'children'>"]);
    expect(button?.props.find(({ name }) => name === 'size')?.type).toBe("'sm' | 'md' | 'lg'");
    expect(button?.props.find(({ name }) => name === 'busy')?.about).toMatch(/^The action is in flight: /);
    expect(all.components['PagedTable']?.props.map(({ name }) => name)).not.toContain('onRetry');
    expect(all.components['DateField']?.props.map(({ name }) => name)).toContain('error');
  });

  it('are stored with a release, and compared with the next', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'released-'));
    try {
      await keepProps('2026-11-01', join(folder, 'released.json'));
      const stored: unknown = JSON.parse(await readFile(join(folder, 'released.json'), 'utf8'));
      expect(stored).toEqual(all.released);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
