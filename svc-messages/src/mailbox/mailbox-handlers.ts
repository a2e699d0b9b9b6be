import { ProblemError, readPage, type Handler } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import type { MessagesContext } from '../settings.ts';
import { mailboxOf, toMail } from './mail-record.ts';

/** Handlers of the demo's mailbox, which everybody may read. Outside a demo there is none. */
export function mailboxHandlers(context: MessagesContext) {
  const assertDemo = (): void => {
    if (!context.settings.DEMO_MODE) throw new ProblemError('not_found');
  };

  const listMailbox: Handler<'listMailbox'> = async ({ query }) => {
    assertDemo();
    const { q } = query;
    return readPage(mailboxOf(context), {
      filter: q ? { to: q.toLowerCase() } : {},
      query,
      sorts: { newest: { receivedAt: -1, _id: -1 } },
      defaultSort: 'newest',
      map: toMail,
      unread: ['html', 'text', 'attachments'],
    });
  };

  const getMailboxMail: Handler<'getMailboxMail'> = async ({ params: { id } }) => {
    assertDemo();
    const mail = await mailboxOf(context).findOne({ _id: new ObjectId(id) });
    if (!mail) throw new ProblemError('not_found', { detail: 'This mail isn’t there any more.' });
    const { text, html, attachments } = mail;
    return { ...toMail(mail), text, ...(html !== undefined && { html }), attachments: [...attachments] };
  };

  return { listMailbox, getMailboxMail };
}
