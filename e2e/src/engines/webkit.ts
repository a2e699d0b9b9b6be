import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { Builder, Capabilities, error, type WebDriver, type WebElement } from 'selenium-webdriver';

/** WebKitGTK's small browser, which Debian's webkit2gtk-driver brings. */
const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
/** GTK's toolbars have a minimum width: the window can't be narrower than 447 px with them. */
const narrowToolbars = '* { min-width: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }';
/** Milliseconds that a test waits for anything: WebKit draws without a graphics card, slowly beside other browsers and containers. */
const patience = 90_000;
/** Milliseconds between two polls; Selenium's own 200 would be most of a walk's time. */
const pollMs = 20;

const require = createRequire(import.meta.url);
const queries = readFileSync(
  join(require.resolve('@testing-library/dom'), '../@testing-library/dom.umd.min.js'),
  'utf8',
);

/** Selenium's types leave its services out. */
const { DriverService } = require('selenium-webdriver/remote') as {
  readonly DriverService: new (
    executable: string,
    options: { loopback: boolean; port: number; args: string[]; env: NodeJS.ProcessEnv },
  ) => { start(): Promise<string>; kill(): Promise<void> };
};

/** A page in WebKit, found and used by roles, labels and texts, as component tests do. */
export interface WebKitPage {
  readonly driver: WebDriver;
  /** Opens a path of the application and waits for its heading. */
  open(path: string): Promise<void>;
  /** The window, in CSS pixels; its toolbar is inside. */
  resize(width: number, height: number): Promise<void>;
  /** Waits for an element of this role and accessible name. @throws Error with the roles on the page if none comes */
  find(role: string, name: string | RegExp): Promise<WebElement>;
  click(role: string, name: string | RegExp): Promise<void>;
  /** Types into the field with this label, after emptying it. */
  type(label: string | RegExp, text: string): Promise<void>;
  /** Waits for a visible text. */
  see(text: string | RegExp): Promise<void>;
  /** Runs a function in the page. */
  run<T, Args extends unknown[]>(work: (...args: Args) => T, ...args: Args): Promise<T>;
  /** Forgets who is logged in. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** @param url - of the running application */
export async function openWebKit(url: string): Promise<WebKitPage> {
  const config = await mkdtemp(join(tmpdir(), 'clinic-webkit-'));
  await mkdir(join(config, 'gtk-3.0'));
  await writeFile(join(config, 'gtk-3.0', 'gtk.css'), narrowToolbars);
  const { screen, display } = await openScreen();
  const port = await holdPort();
  const service = new DriverService(process.env['WEBKIT_DRIVER_PATH'] ?? '/usr/bin/WebKitWebDriver', {
    loopback: true,
    port,
    args: [`--port=${port}`, '--host=127.0.0.1'],
    env: {
      ...process.env,
      DISPLAY: display,
      XDG_CONFIG_HOME: config,
      // Root has no namespaces for the sandbox in containers.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  });
  const driver = await new Builder()
    .usingServer(await service.start())
    .withCapabilities(
      new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
      }),
    )
    .build();
  return {
    ...pageOf(driver, url),
    async close() {
      await driver.quit();
      await service.kill();
      screen.kill();
      await rm(config, { recursive: true, force: true });
    },
  };
}

/** A virtual screen with a number that nobody else has. */
async function openScreen(): Promise<{ readonly screen: ChildProcess; readonly display: string }> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer];
  return { screen, display: `:${number.toString().trim()}` };
}

/** How the page's elements are found and used. */
function finderOf(driver: WebDriver) {
  const run = <T, Args extends unknown[]>(work: (...args: Args) => T, ...args: Args): Promise<T> =>
    driver.executeScript<T>(work, ...args);
  /** The first match of one of the library's `queryAll…`. */
  async function first(query: string, kind: string, name: string | RegExp | undefined): Promise<WebElement> {
    const matcher = name instanceof RegExp ? { source: name.source } : { text: name };
    const look = async (): Promise<WebElement | false> => {
      // Each document needs the library again.
      if (await run(() => !('TestingLibraryDom' in globalThis))) await driver.executeScript(queries);
      // The page may replace what was found before the driver has it.
      return run(firstMatch, query, kind, matcher).catch(unlessStale) as Promise<WebElement | false>;
    };
    try {
      return (await driver.wait(look, patience, undefined, pollMs)) as WebElement;
    } catch (reason) {
      if (!(reason instanceof error.TimeoutError)) throw reason;
      const text = await run(() => `${location.href}:\n${document.body.innerText}`);
      throw new Error(`WebKit shows no ${kind} ${String(name ?? '')} at ${text}`, { cause: reason });
    }
  }
  const find = (role: string, name: string | RegExp): Promise<WebElement> => first('queryAllByRole', role, name);
  /** Finds an element and uses it; again if the page has replaced it meanwhile. */
  async function act(get: () => Promise<WebElement>, use: (element: WebElement) => Promise<boolean>): Promise<void> {
    await driver.wait(
      async () => {
        try {
          return await use(await get());
        } catch (reason) {
          return unlessStale(reason);
        }
      },
      patience,
      undefined,
      pollMs,
    );
  }
  return { run, first, find, act };
}

function pageOf(driver: WebDriver, url: string): Omit<WebKitPage, 'close'> {
  const { run, first, find, act } = finderOf(driver);
  return {
    driver,
    run,
    find,
    async open(path) {
      await driver.get(new URL(path, url).href);
      // Without the library, which takes seconds for the roles of a long list.
      await driver.wait(
        () => run(() => document.querySelector('h1')?.checkVisibility() ?? false),
        patience,
        `WebKit shows no heading at ${path}`,
        pollMs,
      );
    },
    async resize(width, height) {
      await driver.manage().window().setRect({ x: 0, y: 0, width, height });
      // The page follows its window a moment later, and tables choose their layout after that.
      await driver.wait(
        async () => (await run(() => innerWidth)) === width,
        patience,
        `WebKit doesn’t get ${width} px wide`,
        pollMs,
      );
      await run(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    },
    click: (role, name) =>
      act(
        () => find(role, name),
        async (element) => {
          if (!(await run(isStill, element as never))) return false;
          await run(expectClick, element as never);
          await element.click();
          return wasClicked(run, element);
        },
      ),
    type: (label, text) =>
      act(
        () => first('queryAllByLabelText', typeof label === 'string' ? `^${label}( \\*)?$` : label.source, undefined),
        async (field) => {
          await field.clear();
          await field.sendKeys(text);
          // On a busy machine the driver drops keys. A date's parts are typed in another order than its value has.
          const [kind, typed] = [await field.getAttribute('type'), await field.getAttribute('value')];
          return kind === 'date' || typed === text;
        },
      ),
    see: async (text) =>
      void (await first('queryAllByText', typeof text === 'string' ? escaped(text) : text.source, undefined)),
    async forget() {
      await driver.get(new URL('/', url).href);
      await driver.manage().deleteAllCookies();
      await run(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
    },
  };
}

/** @returns false for an element that the page has replaced, so that it is looked for again. @throws any other error */
function unlessStale(reason: unknown): false {
  if (reason instanceof error.StaleElementReferenceError) return false;
  throw reason;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Runs in the page. */
function firstMatch(
  query: string,
  kind: string,
  { source, text }: { source?: string; text?: string },
): Element | false {
  const library = (globalThis as { TestingLibraryDom?: Record<string, (...args: unknown[]) => Element[]> })
    .TestingLibraryDom;
  // The page has navigated meanwhile.
  if (!library) return false;
  const name = source === undefined ? text : new RegExp(source);
  const found = library[query]?.(document.body, query === 'queryAllByRole' ? kind : new RegExp(kind), { name }) ?? [];
  return found.find((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled')) ?? false;
}

/** Runs in the page. Marks an element once a click reaches it. */
function expectClick(element: HTMLElement): void {
  element.addEventListener('click', () => (element.dataset['clicked'] = ''), { capture: true, once: true });
}

/** Whether the click reached the element, or landed beside it because the page moved meanwhile. */
async function wasClicked(
  run: <Args extends unknown[]>(work: (...args: Args) => boolean, ...args: Args) => Promise<boolean>,
  element: WebElement,
): Promise<boolean> {
  try {
    return await run((one: HTMLElement) => one.dataset['clicked'] !== undefined, element as never);
  } catch (reason) {
    // The clicked element is gone: the click worked.
    if (reason instanceof error.StaleElementReferenceError) return true;
    throw reason;
  }
}

/** Runs in the page. @returns whether an element, scrolled clear of the sticky bars, stays where it is with nothing over it */
async function isStill(element: Element): Promise<boolean> {
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const before = element.getBoundingClientRect();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { left, top, width, height } = element.getBoundingClientRect();
  return (
    left === before.left &&
    top === before.top &&
    element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  );
}
