import type { MessageKind } from '../contract/kinds.ts';
import type { MessageRecord } from '../ledger/message-record.ts';

/** How messages of a kind relate to others in the ledger. */
interface Relation {
  /** The field that names what a message is about. */
  readonly about: 'visit' | 'data.order.id' | 'to.account' | 'invitation';
  /** Kinds that, once they follow, make a message untrue, whatever becomes of theirs. */
  readonly outdatedBy: readonly MessageKind[];
  /** Which of those that follow do so; all if absent. */
  readonly if?: (message: Related, later: Related) => boolean;
  /** The status of its order or invitation in which a message is true; its source is asked just before it is sent. */
  readonly whileStatusIs?: string;
}

/** What relates a message to others. */
export type Related = Pick<
  MessageRecord,
  | 'key'
  | 'kind'
  | 'to'
  | 'data'
  | 'visit'
  | 'status'
  | 'lane'
  | 'createdAt'
  | 'dueAt'
  | 'nextAttemptAt'
  | 'lease'
  | 'sentAt'
>;

/** A message about a visit that svc-clinic describes just before it is sent; see `decideSending`. */
const ofVisit: Relation = { about: 'visit', outdatedBy: [] };

const standsAlone: Relation = { about: 'to.account', outdatedBy: [] };

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (value ?? {}) as Record<string, unknown>;

/** Every kind, so that a new one must say how it relates. */
export const relations: Readonly<Record<MessageKind, Relation>> = {
  'appointment-booked': ofVisit,
  // Staff may take back what they have done, and do it again.
  'appointment-confirmed': { about: 'visit', outdatedBy: ['appointment-confirmed'] },
  'appointment-cancelled': { about: 'visit', outdatedBy: ['appointment-cancelled'] },
  'appointment-moved': ofVisit,
  'appointment-reminder': ofVisit,
  'appointment-questions': ofVisit,
  // Nobody has two open offers, and whoever books the offered time has accepted it.
  'waitlist-offer': {
    about: 'to.account',
    outdatedBy: ['waitlist-offer', 'waitlist-ended', 'appointment-booked', 'appointment-moved'],
    if: ({ data: { offer } }, { data: { visit } }) =>
      visit === undefined || ['date', 'time'].every((name) => fieldsOf(offer)[name] === fieldsOf(visit)[name]),
  },
  'waitlist-ended': standsAlone,
  // Nothing is told of a hand-over.
  'order-placed': { about: 'data.order.id', outdatedBy: [], whileStatusIs: 'pending' },
  'order-shipped': { about: 'data.order.id', outdatedBy: [], whileStatusIs: 'Shipped' },
  'order-cancelled': { about: 'data.order.id', outdatedBy: [] },
  // One waits for the morning, and the medicine has gone and come again by then.
  'back-in-stock': {
    about: 'to.account',
    outdatedBy: ['back-in-stock'],
    if: ({ data: { medicine } }, { data }) => fieldsOf(medicine)['id'] === fieldsOf(data['medicine'])['id'],
  },
  // Nothing is told of its end.
  'staff-invitation': { about: 'invitation', outdatedBy: [], whileStatusIs: 'open' },
  // Each link does what it says until it is used, whichever follows.
  'confirm-address': standsAlone,
  'password-reset': standsAlone,
  'address-changed': standsAlone,
  'new-device': standsAlone,
  'role-changed': { about: 'to.account', outdatedBy: ['role-changed'] },
};

/** How messages of a kind relate to others; those of later releases don't. */
export const relationOf = (kind: string): Relation =>
  Object.hasOwn(relations, kind) ? relations[kind as MessageKind] : standsAlone;

/** An address has one open invitation to a role. */
export const invitationKey = ({ email, role, until }: Readonly<Record<'email' | 'role' | 'until', unknown>>): string =>
  [email, role, until].join(' ');

/** The value of the field that names what a message is about. */
export function subjectOf({ visit, data, to }: Pick<Related, 'visit' | 'data' | 'to'>, about: Relation['about']) {
  const values = {
    visit,
    'data.order.id': fieldsOf(data['order'])['id'],
    'to.account': to.account,
    invitation: invitationKey({ email: to.email, role: data['role'], until: data['until'] }),
  };
  return values[about] as string | undefined;
}

/** Whether a message was caused after another one. Keys decide within a millisecond: they end in growing ids. */
export function isLater(one: Related, other: Related): boolean {
  const by = one.createdAt.getTime() - other.createdAt.getTime();
  return by > 0 || (by === 0 && one.key > other.key);
}

/** Whether what followed has made a message untrue. @param related - messages about the same and about others */
export function isOutdated(message: Related, related: readonly Related[]): boolean {
  const { about, outdatedBy, if: applies = () => true } = relationOf(message.kind);
  const subject = subjectOf(message, about);
  return related.some(
    (other) =>
      outdatedBy.some((kind) => kind === other.kind) &&
      subject !== undefined &&
      subjectOf(other, about) === subject &&
      isLater(other, message) &&
      applies(message, other),
  );
}
