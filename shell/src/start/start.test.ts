import { startWhenNeeded } from './start.ts';

const files = JSON.stringify({
  scripts: [{ href: '/shell/react.0.js' }, { href: '/shell/main.0.js' }],
  preloads: [{ href: '/mf/mf-a/page.0.js', as: 'script' }],
});

/** The application's scripts that the page has requested. */
const requested = (): string[] =>
  [...document.querySelectorAll<HTMLScriptElement>('script[src]')].map(({ src }) => new URL(src).pathname);

const preloaded = (): (string | null)[] =>
  [...document.querySelectorAll('link[rel="preload"]')].map((link) => link.getAttribute('href'));

/** What comes of the requested scripts. */
const settle = (how: 'load' | 'error'): void =>
  document.querySelectorAll('script[src]').forEach((script) => script.dispatchEvent(new Event(how)));

const parsed = (): boolean => document.dispatchEvent(new Event('DOMContentLoaded'));
const key = (): boolean => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Starts a page as HTML. Earlier tests' pages have no element any more. */
function open(html: string, later = files): void {
  document.head.innerHTML = '';
  globalThis.clinicRoot = undefined;
  document.body.innerHTML = `<div id="page"><main><h1>About</h1>${html}</main></div><div id="root"></div><script type="application/json" id="later-scripts">${later}</script>`;
  startWhenNeeded();
}

beforeEach(() => {
  history.replaceState(null, '');
  localStorage.clear();
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});

describe('a page that arrived as HTML', () => {
  it('loads the application with the first key, and what that loads beside it', () => {
    open('');
    parsed();
    expect(requested()).toEqual([]);
    key();
    key();
    expect(requested()).toEqual(['/shell/react.0.js', '/shell/main.0.js']);
    expect(preloaded()).toEqual(['/shell/react.0.js', '/shell/main.0.js', '/mf/mf-a/page.0.js']);
    // It renders outside of the document.
    expect(document.getElementById('root')).toBeNull();
    expect(globalThis.clinicRoot?.isConnected).toBe(false);
  });

  it('asks for the registry and makes the page’s calls beside the files, and doesn’t start before the registry', async () => {
    let answer: (response: Pick<Response, 'ok' | 'json'>) => void = () => undefined;
    const asked: unknown[] = [];
    globalThis.fetch = jest.fn((address) => {
      asked.push(address);
      return address === '/doctors?limit=6'
        ? Promise.reject(new TypeError('no network'))
        : new Promise((resolve) => (answer = resolve as typeof answer));
    });
    open(
      '',
      JSON.stringify({ ...JSON.parse(files), registry: '/registry.json?page=%2F', calls: ['/doctors?limit=6'] }),
    );
    key();
    expect(asked).toEqual(['/registry.json?page=%2F', '/doctors?limit=6']);
    expect(preloaded()).toEqual(['/shell/react.0.js', '/shell/main.0.js', '/mf/mf-a/page.0.js']);
    // The application makes a call again that failed.
    expect(await globalThis.clinicAnswers?.get('/doctors?limit=6')).toBeUndefined();
    expect(requested()).toEqual(['/shell/react.0.js']);
    answer({ ok: true, json: async () => ({ remotes: [], away: ['</x>'] }) });
    await settled();
    expect(JSON.parse(document.getElementById('registry')?.textContent ?? '')).toEqual({ remotes: [], away: ['</x>'] });
    expect(requested()).toEqual(['/shell/react.0.js', '/shell/main.0.js']);
  });

  it('goes on as HTML without the registry, and asks for it again with the next press', async () => {
    const answers = [false, true].map((ok) => ({ ok, status: 503, json: async () => ({}) }));
    globalThis.fetch = jest.fn(async () => answers.shift() as Response);
    open('', JSON.stringify({ ...JSON.parse(files), registry: '/registry.json?page=%2F' }));
    key();
    await settled();
    expect(requested()).toEqual(['/shell/react.0.js']);
    key();
    await settled();
    expect(requested()).toEqual(['/shell/react.0.js', '/shell/main.0.js']);
  });

  it('runs the shell’s lazy parts as soon as they have come, and leaves one that fails to the application', async () => {
    const host = { href: '/shell/mf-host.0.js', as: 'script' };
    open('', JSON.stringify({ ...JSON.parse(files), preloads: [host, ...JSON.parse(files).preloads] }));
    key();
    const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')];
    expect(scripts.map(({ async, src }) => [new URL(src).pathname, async])).toEqual([
      ['/shell/mf-host.0.js', true],
      ['/shell/react.0.js', false],
      ['/shell/main.0.js', false],
    ]);
    scripts[0]?.dispatchEvent(new Event('error'));
    await settled();
    expect(requested()).toEqual(['/shell/react.0.js', '/shell/main.0.js']);
  });

  it('takes the application’s place only once that has all of the page', async () => {
    open('');
    key();
    settle('load');
    await settled();
    const root = globalThis.clinicRoot;
    if (!root) throw new Error('the application has no place');
    root.innerHTML = '<main><h1>About</h1><p aria-busy="true"></p></main>';
    await settled();
    expect(document.getElementById('page')).not.toBeNull();
    root.querySelector('p')?.removeAttribute('aria-busy');
    await settled();
    // The key is still held.
    expect(document.getElementById('page')).not.toBeNull();
    document.body.dispatchEvent(new KeyboardEvent('keyup', { key: 'Tab', bubbles: true }));
    await settled();
    await settled();
    expect(document.getElementById('page')).toBeNull();
    expect(root.isConnected).toBe(true);
  });

  it('goes on as HTML if the application doesn’t load, and tries again with the next press', async () => {
    open('');
    key();
    settle('error');
    await settled();
    expect(requested()).toEqual([]);
    document.body.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    expect(requested()).toEqual([]);
    key();
    expect(requested()).toEqual(['/shell/react.0.js', '/shell/main.0.js']);
  });

  it('starts at once where the browser keeps what the HTML can’t have', () => {
    localStorage.setItem('cart', '[]');
    open('<p data-stored="cart"></p>');
    parsed();
    expect(requested()).toHaveLength(2);
    open('<p data-stored="other"></p>');
    parsed();
    expect(requested()).toHaveLength(0);
    history.replaceState({ idx: 0 }, '');
    open('');
    parsed();
    expect(requested()).toHaveLength(2);
  });

  it('leaves a page without a list of scripts alone', () => {
    open('', '');
    key();
    expect(requested()).toEqual([]);
    expect(document.getElementById('root')).not.toBeNull();
  });
});
