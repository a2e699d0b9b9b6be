import { addDays, clinicInstant } from '@clinic/contracts/clinic-time';
import { escapeRegex, noteLooks, readPage, type Handler } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { listKinds, switchKind } from '../kinds/kind-switches.ts';
import { previewKind } from '../kinds/preview-kind.ts';
import type { MessagesContext } from '../settings.ts';
import { messageFigures } from './message-figures.ts';
import { messagesOf, toMessage, toOwnMessage, type MessageRecord } from './message-record.ts';
import { resendMessage } from './resend-message.ts';

const sorts = { newest: { createdAt: -1, _id: -1 } } as const;

/**
 * Handlers of the ledger and of kinds.
 *
 * @param wake - a message is due
 */
export function messageHandlers(context: MessagesContext, wake: () => void) {
  const looks = noteLooks(context);

  const startOf = (date: string): Date => clinicInstant({ date, time: '00:00' }, context.settings.CLINIC_TZ);

  const listMessages: Handler<'listMessages'> = async (request) => {
    const { q, status, kind, from, until } = request.query;
    const filter: Filter<MessageRecord> = {
      ...(status && { status }),
      ...(kind && { kind }),
      ...((from || until) && {
        createdAt: {
          ...(from && { $gte: startOf(from) }),
          ...(until && { $lt: startOf(addDays(until, 1)) }),
        },
      }),
      // The start of an address is a range of the index.
      ...(q && { 'to.email': { $regex: `^${escapeRegex(q.toLowerCase())}` } }),
    };
    const found = await readPage(messagesOf(context), {
      filter,
      query: request.query,
      sorts,
      defaultSort: 'newest',
      map: toMessage,
    });
    return looks.listed(request, 'messages', found, ({ to }) => ({ email: to.email ?? '' }));
  };

  const listOwnMessages: Handler<'listOwnMessages'> = async ({ query, caller }) =>
    readPage(messagesOf(context), {
      filter: { 'to.account': caller.id },
      query,
      sorts,
      defaultSort: 'newest',
      map: toOwnMessage,
    });

  const resend: Handler<'resendMessage'> = async (request) => {
    const message = await context.inTransaction((session) => resendMessage(context, request, session));
    wake();
    return message;
  };

  return {
    listMessages,
    listOwnMessages,
    resendMessage: resend,
    getMessageFigures: messageFigures(context),
    listMessageKinds: () => listKinds(context),
    changeMessageKind: ((request) =>
      context.inTransaction((session) => switchKind(context, request, session))) satisfies Handler<'changeMessageKind'>,
    previewMessageKind: (async ({ params: { kind } }) =>
      previewKind(context, kind)) satisfies Handler<'previewMessageKind'>,
  };
}
