import { expect, type APIRequestContext, type Page } from '@playwright/test';

interface Mail {
  readonly _id: string;
  readonly text: string;
}

/** Mails arrive seconds after what they are about. */
const arrivesWithin = { timeout: 60_000 };

/**
 * The newest link of a kind in somebody's mails, from the demo's mailbox, once it has arrived.
 *
 * @param link - matches its path
 */
export async function linkInMail(api: APIRequestContext, email: string, link: RegExp): Promise<URL> {
  let found: URL | undefined;
  await expect(async () => {
    const list = await api.get(`/messages/mailbox?limit=20&q=${encodeURIComponent(email)}`);
    for (const { _id } of (await list.json()) as readonly Mail[]) {
      const { text } = (await (await api.get(`/messages/mailbox/${_id}`)).json()) as Mail;
      const [path] = link.exec(text) ?? [];
      if (path !== undefined) found ??= new URL(path, 'http://any');
    }
    expect(found).toBeDefined();
  }).toPass({ ...arrivesWithin, intervals: [250] });
  if (!found) throw new Error(`there is no mail to ${email}`);
  return found;
}

/** On the page of the demo's mailbox: opens the newest mail with a subject, once it has arrived, and follows its button. */
export async function followMail(page: Page, subject: string, button: string): Promise<void> {
  const mails = page.getByRole('list', { name: 'Emails' });
  await mails.getByRole('button', { name: subject }).first().click(arrivesWithin);
  const href = await page.frameLocator('iframe').getByRole('link', { name: button }).getAttribute('href');
  await page.goto(href ?? '');
}
