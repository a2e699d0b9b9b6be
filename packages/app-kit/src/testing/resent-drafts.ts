import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallId, PageDescriptor, Route } from '@clinic/contracts';
import type { CallSchemas } from '@clinic/contracts/calls';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { forgetDrafts, keepDraft } from '../drafts/drafts.ts';
import { queryClient, session } from '../host/app.ts';
import type { PageModule } from '../host/remote-module.ts';
import { answerOf, callAt } from './newer-answers.ts';
import { muteExpectedLogs, prepareEnvironment } from './test-environment.ts';
import { problemResponse, serveAs, type PageRequest, type SignedIn } from './test-gateway.ts';
import { renderRoutes, routesOfPages, simulatedBrowser } from './test-pages.ts';

/** A form that keeps what was typed, and sends it by a call with an `Idempotency-Key`. */
export interface DraftForm {
  readonly call: CallId;
  /** Address of its page. */
  readonly at: string;
  readonly user: SignedIn;
  /** Key of its draft, and values that can be sent. */
  readonly draft: readonly [key: string, values: unknown];
  /** The buttons to press, by their names: those that open the form, and the one that sends it. */
  readonly press: readonly [...string[], string];
  /** Answers what the page reads, where an answer as its schema allows it won't do. */
  readonly answer?: (request: PageRequest) => Response | undefined;
}

/**
 * Tests that a form whose answer was lost says so, and sends the same key after a reload, so that nothing is made twice; and
 * that no form is left out.
 *
 * @param folder - the sources of the remote
 * @param load - imports the file of a screen
 * @param calls - all calls that the forms make
 */
export function testResentDrafts(
  remote: { readonly pages: readonly PageDescriptor[]; readonly screens: Readonly<Record<string, string>> },
  folder: string,
  load: (file: string) => Promise<{ readonly default: PageModule }>,
  calls: Readonly<Record<string, Route & CallSchemas>>,
  forms: readonly DraftForm[],
): void {
  muteExpectedLogs();
  beforeAll(() => {
    prepareEnvironment();
    Object.assign(globalThis, simulatedBrowser);
  });
  afterEach(() => {
    cleanup();
    forgetDrafts();
  });

  test.each(forms)('$call is sent again with its key after a lost answer and a reload', async (form) => {
    const { at, user, draft, press, answer, call } = form;
    const sent: { readonly key: string | null; readonly body: unknown }[] = [];
    const { method, path = '' } = calls[call] ?? {};
    const address = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
    serveAs(user, (request) => {
      if (request.method !== method || !address.test(request.path)) {
        const read = callAt(Object.values(calls), request.method, request.path);
        return answer?.(request) ?? (read ? Response.json(answerOf(read, false)) : problemResponse('not_found', 404));
      }
      sent.push({ key: request.headers.get('idempotency-key'), body: request.body });
      throw new TypeError('The connection was lost');
    });
    keepDraft(...draft);
    for (const times of [1, 2]) {
      queryClient.clear();
      await session.load();
      await renderRoutes(routesOfPages(remote.screens, load), at);
      for (const name of press) fireEvent.click(await screen.findByRole('button', { name }));
      await waitFor(() => expect(sent).toHaveLength(times));
      await waitFor(() => expect(queryClient.isMutating()).toBe(0));
      const failures = [...document.querySelectorAll('.ui-alert[data-tone="red"] .ui-alert-title')];
      // Nobody knows whether it was made.
      for (const { textContent } of failures) expect(textContent).toBe('We couldn’t confirm it');
      reload();
    }
    expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(sent[1]).toEqual(sent[0]);
  });

  test('no form is left out', () => {
    const found = sourcesIn(folder)
      .filter((text) => /\buseDraft\(/.test(text))
      .flatMap((text) => [...text.matchAll(/\buseChange\('(\w+)'/g)].map(([, id = '']) => id));
    expect(found.filter((id) => calls[id]?.idempotent).toSorted()).toEqual(forms.map(({ call }) => call).toSorted());
  });
}

/** Keeps what a reload of the page keeps. */
function reload(): void {
  dispatchEvent(new Event('pagehide'));
  const carried = JSON.parse(sessionStorage.getItem('clinic:drafts') ?? '[]') as readonly (readonly [
    string,
    unknown,
  ])[];
  cleanup();
  forgetDrafts();
  for (const [key, fields] of carried) keepDraft(key, fields);
}

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
