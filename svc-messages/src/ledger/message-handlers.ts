import { readPage, type Handler } from '@clinic/service-kit';
import { acceptAddress } from '../bounces/accept-address.ts';
import { acceptOwnAddress, ownAddress } from '../bounces/own-address.ts';
import { languageOf } from '../contract/languages.ts';
import { listKinds, switchKind } from '../kinds/kind-switches.ts';
import { previewKind } from '../kinds/preview-kind.ts';
import type { MessagesContext } from '../settings.ts';
import { messageFigures } from './message-figures.ts';
import { ledgerSearch, messageSorts, ownFilter } from './message-filters.ts';
import { messagesOf, toMessage, toOwnMessage } from './message-record.ts';
import { resendMessage } from './resend-message.ts';

/**
 * Handlers of the ledger and of kinds.
 *
 * @param wake - called when a message is due
 */
export function messageHandlers(context: MessagesContext, wake: () => void) {
  const listMessages: Handler<'listMessages'> = async ({ query }) =>
    readPage(messagesOf(context), {
      filter: ledgerSearch(query, context.settings.CLINIC_TZ),
      query,
      sorts: messageSorts,
      defaultSort: 'newest',
      map: toMessage,
    });

  const listOwnMessages: Handler<'listOwnMessages'> = async ({ query, caller }) =>
    readPage(messagesOf(context), {
      filter: ownFilter(caller.id, query),
      query,
      sorts: messageSorts,
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
    acceptMessageAddress: (async (request): Promise<undefined> => {
      await context.inTransaction((session) => acceptAddress(context, request, session));
    }) satisfies Handler<'acceptMessageAddress'>,
    getOwnMessageAddress: ((request) => ownAddress(context, request)) satisfies Handler<'getOwnMessageAddress'>,
    acceptOwnMessageAddress: (async (request): Promise<undefined> => {
      await context.inTransaction((session) => acceptOwnAddress(context, request, session));
    }) satisfies Handler<'acceptOwnMessageAddress'>,
    getMessageFigures: messageFigures(context),
    listMessageKinds: () => listKinds(context),
    changeMessageKind: ((request) =>
      context.inTransaction((session) => switchKind(context, request, session))) satisfies Handler<'changeMessageKind'>,
    previewMessageKind: (async ({ params: { kind }, query: { language } }) =>
      previewKind(context, kind, languageOf(language))) satisfies Handler<'previewMessageKind'>,
  };
}
