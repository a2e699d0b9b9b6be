import type { PageDescriptor, Role, Route } from '@clinic/contracts';
import type { CallSchemas } from '@clinic/contracts/calls';
import { act, cleanup, waitFor } from '@testing-library/react';
import { queryClient, session } from '../host/app.ts';
import type { PageModule } from '../host/remote-module.ts';
import { answerOf, callAt } from './newer-answers.ts';
import { prepareEnvironment } from './test-environment.ts';
import { problemResponse, serveAs } from './test-gateway.ts';
import { renderRoutes, routesOfPages, settled, simulatedBrowser } from './test-pages.ts';

/** What a page shows while its reads are in flight, if they find nothing, and if they fail. */
const isShown = {
  loading: () => document.body.textContent.includes('Loading...'),
  empty: () => document.querySelector('output.ui-state-title') !== null,
  error: () => document.querySelector('[role=alert]') !== null,
} as const;

type State = keyof typeof isShown;

const states: readonly State[] = ['loading', 'empty', 'error'];

/** Why pages, by their path, don't have a state. */
export type MissingStates = Readonly<Record<string, Partial<Record<State, string>>>>;

/** A page that reads nothing. */
export const readsNothing = (reason: string): MissingStates[string] => ({
  loading: reason,
  empty: reason,
  error: reason,
});

function readerOf({ access }: PageDescriptor): Role | undefined {
  if (access === 'everyone') return undefined;
  return access === 'signedIn' ? 'patient' : access[0];
}

/** A response without a single row. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, emptied(part)]));
}

/**
 * Tests that each page of a remote says that it is loading, that there is nothing, and that loading failed. A page without
 * one of these says why; a reason for a state that the page has fails as well.
 *
 * @param load - imports the file of a screen
 * @param calls - all calls that the pages make, with their schemas
 * @param missing - the states that pages don't have
 */
export function testPageStates(
  remote: { readonly pages: readonly PageDescriptor[]; readonly screens: Readonly<Record<string, string>> },
  load: (file: string) => Promise<{ readonly default: PageModule }>,
  calls: readonly (Route & CallSchemas)[],
  missing: MissingStates = {},
): void {
  // Not by jest's own means: in a repository outside the clinic's, modules have no global of that name.
  const { error, warn } = console;
  beforeAll(() => {
    prepareEnvironment();
    Object.assign(globalThis, simulatedBrowser);
  });
  beforeEach(() => Object.assign(console, { error: () => undefined, warn: () => undefined }));
  afterEach(async () => {
    cleanup();
    await queryClient.cancelQueries();
    queryClient.clear();
    Object.assign(console, { error, warn });
  });

  /** Opens a page whose reads all get the same kind of answer. */
  async function open(page: PageDescriptor, state: State): Promise<void> {
    const role = readerOf(page);
    const person = { email: 'ann@mail.example', firstName: 'Ann', lastName: 'Lee', emailVerified: true };
    serveAs(role && { ...person, role }, ({ method, path }) => {
      if (state === 'loading') return new Promise<never>(() => undefined);
      const call = callAt(calls, method, path);
      if (state === 'error' || !call) return problemResponse('internal', 500);
      return Response.json(emptied(answerOf(call, false)), { headers: { 'X-Total-Count': '0' } });
    });
    await session.load();
    const address = page.path.replaceAll(/:\w+/g, 'a'.repeat(24));
    await act(() => renderRoutes(routesOfPages(remote.screens, load), address));
  }

  const cases = remote.pages
    .filter(({ path }) => path in remote.screens)
    .flatMap((page) => states.map((state) => ({ page, path: page.path, state, reason: missing[page.path]?.[state] })));

  test.each(cases.filter(({ reason }) => reason === undefined))(
    '$path has a state for: $state',
    async ({ page, state }) => {
      await open(page, state);
      await waitFor(() => expect([state, isShown[state]()]).toEqual([state, true]));
    },
    60_000,
  );

  const excused = cases.filter(({ reason }) => reason !== undefined);
  if (excused.length > 0)
    test.each(excused)(
      '$path has no state for: $state, as $reason',
      async ({ page, state }) => {
        await open(page, state);
        if (state !== 'loading') await settled();
        expect([state, isShown[state]()]).toEqual([state, false]);
      },
      60_000,
    );

  test('reasons are for pages that exist', () => {
    expect(Object.keys(missing).filter((path) => !(path in remote.screens))).toEqual([]);
  });
}
