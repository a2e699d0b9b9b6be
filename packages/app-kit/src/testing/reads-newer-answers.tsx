import { roles, type PageDescriptor, type Role, type Route } from '@clinic/contracts';
import type { CallSchemas } from '@clinic/contracts/calls';
import { personalDataPath } from '@clinic/contracts/personal-data-calls';
import { act, cleanup, fireEvent, waitFor } from '@testing-library/react';
import { queryClient, session } from '../host/app.ts';
import { followTranslation } from '../host/follow-translation.ts';
import type { PageModule } from '../host/remote-module.ts';
import { answerOf, callAt, plainText } from './newer-answers.ts';
import { prepareEnvironment } from './test-environment.ts';
import { problemResponse, serveAs } from './test-gateway.ts';
import { renderRoutes, routesOfPages, settled, simulatedBrowser } from './test-pages.ts';
import { translate } from './translate.ts';

interface Remote {
  readonly pages: readonly PageDescriptor[];
  readonly screens: Readonly<Record<string, string>>;
}

/** Answers in which each word and number differs: with fewer changes most pages would be right even if nothing followed a translation. */
const otherAnswers = { newer: true, words: 'Other words', more: 1 };

/** What the router shows in the place of a page that threw. */
const brokenPage = 'Unexpected Application Error!';

function readersOf({ access }: PageDescriptor): readonly (Role | undefined)[] {
  if (access === 'everyone') return [undefined, 'patient'];
  return access === 'signedIn' ? roles : access;
}

/**
 * Tests that readers tolerate: each page of a remote is opened as each role that may, with answers whose statuses, roles, kinds
 * and units this build doesn't know. A page may show such a word as it is; it must not break. Nor must new answers while the browser
 * translates the page, which then shows them. Dialogs show them as well: none keeps a record as its row was when it was opened.
 *
 * @param load - imports the file of a screen
 * @param calls - all calls that the pages make, with their schemas
 * @param asOpened - why dialogs show what they were opened with, by the words of their buttons before the record's name
 */
export function testNewerAnswers(
  remote: Remote,
  load: (file: string) => Promise<{ readonly default: PageModule }>,
  calls: readonly (Route & CallSchemas)[],
  asOpened: Readonly<Record<string, string>> = {},
): void {
  prepareTests();
  const cases = remote.pages
    .filter(({ path }) => path in remote.screens)
    .flatMap((page) => readersOf(page).map((role) => ({ path: page.path, role: role ?? 'visitor' })));

  /** Opens a page. @returns its text once nothing loads any more, and how to answer from now on with words of a newer release */
  async function open({ path, role }: (typeof cases)[number], newer = false) {
    const person = { email: 'ann@mail.example', firstName: 'Ann', lastName: 'Lee', emailVerified: true };
    const unknown = new Set<string>();
    const answers = { newer, words: plainText, more: 0 };
    serveAs(role === 'visitor' ? undefined : { ...person, role }, ({ method, path: address }) => {
      // The gateway's own list: no other services keep personal data.
      if (address === personalDataPath) return Response.json({ calls: [], unknown: [] });
      const call = callAt(calls, method, address);
      if (!call) unknown.add(`${method} ${address}`);
      if (!call || call.media !== undefined) return problemResponse('not_found', 404);
      const counted = (_name: string, value: unknown) => (typeof value === 'number' ? value + answers.more : value);
      const answer = JSON.stringify(answerOf(call, answers.newer), counted).replaceAll(plainText, answers.words);
      return Response.json(JSON.parse(answer), { headers: { 'X-Total-Count': answers.newer ? '2' : '1' } });
    });
    await session.load();
    const routes = [...routesOfPages(remote.screens, load), { path: '*', element: <p>Another page</p> }];
    await act(() => renderRoutes(routes, path.replaceAll(/:\w+/g, 'a'.repeat(24))));
    await settled();
    return {
      unknown,
      reload: async (changed: Partial<typeof answers>) => {
        Object.assign(answers, changed);
        await act(() => queryClient.invalidateQueries());
        await settled();
      },
    };
  }

  test.each(cases)(
    '$path as $role reads answers with words of a newer release',
    async (page) => {
      const { unknown } = await open(page, true);
      expect(document.body.textContent).not.toContain(brokenPage);
      expect([...unknown]).toEqual([]);
    },
    60_000,
  );

  test.each(cases)(
    '$path as $role reads answers with the words of this release, and dialogs show what changes while they are open',
    async (page) => {
      const { unknown, reload } = await open(page);
      expect(document.body.textContent).not.toContain(brokenPage);
      expect([...unknown]).toEqual([]);
      const outdated = await outdatedDialogs((words) => reload({ words }));
      expect(outdated.filter((action) => !(action in asOpened))).toEqual([]);
    },
    60_000,
  );

  // Last, when the tests before have loaded what pages load late: two texts are compared.
  test.each(cases)(
    '$path as $role shows new answers on a page that the browser has translated',
    async (page) => {
      const original = await open(page);
      const before = textWithoutTimes();
      await original.reload(otherAnswers);
      const shown = textWithoutTimes();
      expect(shown).not.toContain(brokenPage);
      // Only fixed words, or an empty form: there is nothing to follow.
      if (shown === before) return;
      cleanup();
      queryClient.clear();
      const translated = await open(page);
      translate(document.body);
      await translated.reload(otherAnswers);
      await waitFor(() => expect(textWithoutTimes()).toBe(shown), { timeout: 20_000 });
    },
    60_000,
  );
}

function prepareTests(): void {
  beforeAll(() => {
    prepareEnvironment();
    Object.assign(globalThis, simulatedBrowser);
    followTranslation(document.body);
  });
  // Not by jest's own means: in a repository outside the clinic's, modules have no global of that name.
  const { error, warn } = console;
  beforeEach(() => Object.assign(console, { error: () => undefined, warn: () => undefined }));
  afterEach(() => {
    Object.assign(console, { error, warn });
    cleanup();
    queryClient.clear();
  });
}

/** The page's text. A clock on it goes on between two that are compared. */
const textWithoutTimes = (): string => document.body.textContent.replaceAll(/\d{1,2}:\d{2} [AP]M/g, 'a time');

/** Presses each button of the page. @returns those whose dialog still shows the former words after a renaming */
async function outdatedDialogs(rename: (words: string) => Promise<void>): Promise<readonly string[]> {
  const outdated: string[] = [];
  const pressed = new Set<string>();
  let words = plainText;
  const next = () =>
    [...document.querySelectorAll('button')].find(
      (one) => !one.closest('dialog') && !pressed.has(actionOf(one, words)),
    );
  for (let button = next(); button; button = next()) {
    const action = actionOf(button, words);
    pressed.add(action);
    fireEvent.click(button);
    await settled();
    const dialog = [...document.querySelectorAll('dialog')].find((one) => one.open);
    if (!dialog) continue;
    if (dialog.textContent.includes(words)) {
      const before = words;
      // Letters only: JavaScript takes “Words 3” for a day in March.
      words = `Words ${String(pressed.size).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}.`;
      await rename(words);
      if (dialog.textContent.includes(before)) outdated.push(action);
    }
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    await settled();
  }
  return outdated;
}

/** What a button does, by its name without that of the record, time or day: the same on each row. */
const actionOf = (button: HTMLElement, words: string): string =>
  (button.getAttribute('aria-label') ?? button.textContent)
    .replaceAll(words, plainText)
    .replace(/(?:[\d#]|[A-Z][a-z]+day\b|Some words|\S+@).*$/u, '')
    .trim();
