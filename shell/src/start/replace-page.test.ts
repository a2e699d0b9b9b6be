import { keepPresses } from './kept-presses.ts';
import { replacePage } from './replace-page.ts';

/** Shows a page's HTML, with the application rendered beside it. */
function show(html: string, app: string): { readonly page: HTMLElement; readonly root: HTMLElement } {
  document.body.innerHTML = `<div id="page">${html}</div>`;
  const root = document.createElement('div');
  root.innerHTML = app;
  return { page: document.getElementById('page') as HTMLElement, root };
}

const form = (more = '') => `<main>
  <label for="_r_1_">Search</label><input id="_r_1_" name="q" value="">
  <label><input type="checkbox"> Today</label>
  <select aria-label="Day"><option>Any</option><option>Today</option></select>
  <details><summary>Insurance?</summary><p>Yes</p></details>
  <details><summary>Parking?</summary><p>No</p></details>${more}
</main>`;

describe('the application in the place of a page', () => {
  it('has what was typed, chosen and opened, though it has other parts', () => {
    const { page, root } = show(
      form(),
      `<p>New</p>${form('<input name="new" value="1">').replaceAll('_r_1_', '_r_9_')}`,
    );
    const [text, check] = page.querySelectorAll('input');
    const [select] = page.querySelectorAll('select');
    const [, parking] = page.querySelectorAll('details');
    if (!text || !check || !select || !parking) throw new Error('the page lacks something');
    text.value = 'ta';
    text.focus();
    text.setSelectionRange(1, 2);
    check.checked = true;
    select.value = 'Today';
    parking.open = true;
    const events: string[] = [];
    for (const type of ['input', 'change', 'click'])
      root.addEventListener(type, ({ target }) => events.push(`${type} ${(target as Element).localName}`));

    replacePage(page, root);

    expect(document.getElementById('page')).toBeNull();
    const [typed, checked, added] = root.querySelectorAll('input');
    expect([typed?.value, checked?.checked, root.querySelector('select')?.value, added?.value]).toEqual([
      'ta',
      true,
      'Today',
      '1',
    ]);
    expect(document.activeElement).toBe(typed);
    expect([typed?.selectionStart, typed?.selectionEnd]).toEqual([1, 2]);
    expect([...root.querySelectorAll('details')].map(({ open }) => open)).toEqual([false, true]);
    // The application takes values from events.
    expect(events).toEqual(expect.arrayContaining(['input input', 'click input', 'change select']));
  });

  it('keeps a selected text, however it is split', () => {
    const { page, root } = show('<main><p>Open 24 hours</p></main>', '<main><p></p></main>');
    root.querySelector('p')?.append('Open ', '24', ' hours');
    const text = page.querySelector('p')?.firstChild;
    if (!text) throw new Error('the page has no text');
    getSelection()?.setBaseAndExtent(text, 5, text, 13);
    replacePage(page, root);
    expect(getSelection()?.toString()).toBe('24 hours');
  });
});

describe('presses before the application', () => {
  const add = (name: string) => `<button type="button" aria-label="Add ${name}">Add</button>`;

  it('are repeated once, on the same thing, wherever that is now', () => {
    const { page, root } = show(
      `<main>${add('A')}${add('B')}</main>`,
      `<main>${add('C')}${add('B')}${add('A')}</main>`,
    );
    const pressed: unknown[] = [];
    root.addEventListener('click', ({ target }) => pressed.push((target as Element).getAttribute('aria-label')));
    const presses = keepPresses();
    const [a, b] = page.querySelectorAll('button');
    for (const one of [b, b, a, b]) one?.click();
    expect(b?.getAttribute('aria-busy')).toBe('true');
    replacePage(page, root);
    presses.repeat(root);
    expect(pressed).toEqual(['Add B', 'Add A']);
    root.querySelector('button')?.click();
    expect(pressed).toEqual(['Add B', 'Add A', 'Add C']);
  });

  it('are dropped if the application has no such thing, rather than done to another', () => {
    const { page, root } = show(`<main>${add('A')}</main>`, `<main>${add('B')}</main>`);
    const pressed = jest.fn();
    root.addEventListener('click', pressed);
    const presses = keepPresses();
    page.querySelector('button')?.click();
    replacePage(page, root);
    presses.repeat(root);
    expect(pressed).not.toHaveBeenCalled();
  });

  it('on forms without an address are sent by the application, on others by the browser', () => {
    const fields = '<input name="email"><button type="button">Clear</button><button>Send</button>';
    const html = `<main><form aria-label="a">${fields}</form><form action="/x" aria-label="b">${fields}</form></main>`;
    const { page, root } = show(html, html);
    const presses = keepPresses();
    const [own, plain] = page.querySelectorAll('form');
    // What doesn't send a form is for the application.
    plain?.querySelector('button')?.click();
    const send = (one?: HTMLFormElement) =>
      one?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
    expect([send(own), send(plain)]).toEqual([false, true]);
    const sent: unknown[] = [];
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      sent.push((event.target as Element).getAttribute('aria-label'));
    });
    const cleared = jest.fn();
    root.querySelectorAll('form')[1]?.querySelector('button')?.addEventListener('click', cleared);
    replacePage(page, root);
    presses.repeat(root);
    expect(sent).toEqual(['a']);
    expect(cleared).toHaveBeenCalledTimes(1);
  });

  it('say that it didn’t work if the application doesn’t come', () => {
    const { page } = show(`<main>${add('A')}</main>`, '');
    const presses = keepPresses();
    page.querySelector('button')?.click();
    presses.giveUp();
    expect(page.querySelector('output')?.textContent).toMatch(/^That didn’t work/);
    expect(page.querySelector('[aria-busy]')).toBeNull();
    expect(presses.any()).toBe(false);
  });
});
