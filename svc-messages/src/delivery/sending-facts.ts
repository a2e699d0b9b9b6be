import { messagesOf } from '../ledger/message-record.ts';
import { switchedOff } from '../kinds/kind-switches.ts';
import { preferencesKey, preferencesOf, type PreferencesRecord } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import { invitationStatuses } from '../invitations/invitation-calls.ts';
import { overOffersOf } from '../offers/offer-calls.ts';
import { orderStatuses } from '../orders/order-calls.ts';
import { visitsUnlessUnavailable, type VisitNow } from '../visits/visit-calls.ts';
import type { ClaimedMessage } from './claim.ts';
import { followPatients } from './follow-patients.ts';
import { relationOf, subjectOf, type Related } from './outdated.ts';
import { addressOf, readAddresses, type Addresses } from './recipient.ts';
import { undeliverableOf } from './undeliverable.ts';

/** The facts that decide whether messages go out, read for a whole batch. */
export interface SendingFacts {
  readonly now: Date;
  /** Kinds that an admin has switched off. */
  readonly off: ReadonlySet<string>;
  readonly addresses: Addresses;
  readonly preferences: ReadonlyMap<string, PreferencesRecord>;
  /** Addresses that bounced. */
  readonly bounced: ReadonlySet<string>;
  /** Current visits; `undefined`: svc-clinic is unavailable. */
  readonly visits: ReadonlyMap<string, VisitNow> | undefined;
  /** Current statuses of orders; `undefined`: svc-pharmacy is unavailable. */
  readonly orders: ReadonlyMap<string, string> | undefined;
  /** Current statuses of invitations, by {@link invitationKey}; `undefined`: svc-identity is unavailable. */
  readonly invitations: ReadonlyMap<string, string> | undefined;
  /** Ids of offers that aren't open any more, as far as svc-clinic says. */
  readonly overOffers: ReadonlySet<string>;
  /** Whom these messages are for now. */
  readonly messages: readonly ClaimedMessage[];
  /** Messages about the same visits, orders and accounts, also these; see `relations`. */
  readonly related: readonly Related[];
}

export async function readSendingFacts(
  context: MessagesContext,
  claimed: readonly ClaimedMessage[],
): Promise<SendingFacts> {
  const ids = claimed.map(({ visit }) => visit).filter((visit) => visit !== undefined);
  const orderIds = claimed.map(orderToAsk).filter((order) => order !== undefined);
  const [visits, orders, invitations, overOffers] = await Promise.all([
    ids.length > 0 ? visitsUnlessUnavailable(context, ids) : new Map<string, VisitNow>(),
    orderIds.length > 0 ? orderStatuses(context, orderIds) : new Map<string, string>(),
    invitationStatuses(context, claimed),
    overOffersOf(context, claimed),
  ]);
  const messages = await followPatients(context, claimed, visits);
  const keys = messages.map(({ to }) => preferencesKey(to)).filter((key) => key !== undefined);
  const addresses = await readAddresses(context, messages);
  const emails = messages.map((message) => addressOf(message, addresses)).filter((email) => email !== undefined);
  const [off, preferences, bounced, related] = await Promise.all([
    switchedOff(context),
    preferencesOf(context)
      .find({ _id: { $in: keys } })
      .toArray(),
    undeliverableOf(context)
      .find({ _id: { $in: emails } }, { projection: { _id: 1 } })
      .toArray(),
    readRelated(context, messages),
  ]);
  return {
    now: new Date(),
    off,
    addresses,
    preferences: new Map(preferences.map((one) => [one._id, one])),
    bounced: new Set(bounced.map(({ _id }) => _id)),
    visits,
    orders,
    invitations,
    overOffers,
    messages,
    related,
  };
}

/** The order whose status decides whether a message is true. */
function orderToAsk(message: ClaimedMessage): string | undefined {
  const { about, whileStatusIs } = relationOf(message.kind);
  return about === 'data.order.id' && whileStatusIs !== undefined ? subjectOf(message, about) : undefined;
}

async function readRelated(
  context: Pick<MessagesContext, 'db'>,
  messages: readonly ClaimedMessage[],
): Promise<readonly Related[]> {
  const kinds = [...new Set(messages.map(({ kind }) => kind))];
  const found = kinds.map(async (kind) => {
    const { about, outdatedBy } = relationOf(kind);
    const subjects = messages.filter((one) => one.kind === kind).map((one) => subjectOf(one, about));
    const filter = { [about]: { $in: subjects.filter((subject) => subject !== undefined) } };
    // What is told of a visit is compared with all that was.
    if (about === 'visit') return messagesOf(context).find(filter).toArray();
    return outdatedBy.length === 0
      ? []
      : messagesOf(context)
          .find({ ...filter, kind: { $in: [...outdatedBy] } })
          .toArray();
  });
  return (await Promise.all(found)).flat();
}
