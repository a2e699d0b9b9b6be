import { z } from 'zod';
import { outboxKinds, type OutboxKind } from './kinds.ts';

/** An appointment as messages show it: no reason for the visit, nor anything else about somebody's health. */
const visit = z.object({
  /** The appointment. */
  id: z.string(),
  /** The doctor's name. */
  doctor: z.string(),
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  date: z.string(),
  /** 'HH:mm' in the clinic's time zone. */
  time: z.string(),
  /** Where the doctor sees patients at that time; absent if at the usual location. */
  place: z.string().optional(),
  /** Its length; absent for the usual one. */
  minutes: z.number().optional(),
  /** Number of changes since the booking, for calendars (RFC 5545, section 3.8.7.4). */
  sequence: z.number(),
  status: z.enum(['Pending', 'Confirmed', 'Cancelled']),
  /** The clinic asks questions before it, which its patient hasn't answered; absent otherwise. */
  questions: z.literal(true).optional(),
  /** What the patient says at the desk on the day; only shortly before. */
  code: z.string().optional(),
  /** The patient has missed several visits, and is asked to say that they will come. */
  toConfirm: z.boolean().optional(),
});
export type VisitInMessage = z.output<typeof visit>;

const aboutVisit = z.object({
  visit,
  /** The reader did it, and expects a message at once; `false`: the clinic did. Services of earlier releases omit it. */
  own: z.boolean().optional(),
});

/** What was promised before a move: its time, and since this release also the rest. */
const formerVisit = z.object({
  date: z.string(),
  time: z.string(),
  doctor: z.string().optional(),
  minutes: z.number().optional(),
  /** Empty if the doctor's profile named none. */
  place: z.string().optional(),
});
export type FormerVisit = z.output<typeof formerVisit>;

const aboutOrder = z.object({
  order: z.object({
    id: z.string(),
    /** The order's number, as people know it. */
    number: z.string(),
    lines: z.array(z.object({ name: z.string(), quantity: z.number() })).optional(),
    /** Decimal amount. */
    total: z.number(),
    /** Sign of the currency. */
    currency: z.string(),
    /** Who gets the parcel, if known. */
    recipient: z.string().optional(),
    /** Who ordered collects it at the counter; absent if it is delivered. */
    collected: z.boolean().optional(),
  }),
});

/** Path on the clinic's own origin. */
const link = z.string().startsWith('/');
const aboutLink = z.object({ link });

/** The data of each kind of message. */
export const outboxData = {
  'appointment-booked': aboutVisit,
  'appointment-confirmed': aboutVisit,
  'appointment-cancelled': aboutVisit,
  'appointment-moved': aboutVisit.extend({ was: formerVisit }),
  'waitlist-offer': z.object({
    offer: z.object({
      id: z.string(),
      doctor: z.string(),
      date: z.string(),
      time: z.string(),
      /** Where the doctor sees patients then; services of earlier releases omit it. */
      place: z.string().optional(),
      /** The appointment that accepting moves, by its doctor and time; absent if it books a new one. */
      moves: z.object({ date: z.string(), time: z.string() }).optional(),
      /** The place ends with this offer, if it isn't accepted. */
      last: z.literal(true).optional(),
      /** ISO instant at which the offer ends. */
      until: z.iso.datetime(),
    }),
  }),
  'waitlist-ended': z.object({
    place: z.object({
      /** The doctor's name, or the specialty. */
      whom: z.string(),
      /** Offers that were declined or not answered. */
      offers: z.number(),
    }),
  }),
  'order-placed': aboutOrder,
  'order-shipped': aboutOrder,
  'order-cancelled': aboutOrder,
  'back-in-stock': z.object({
    medicine: z.object({
      id: z.string(),
      name: z.string(),
      /** Only the counter sells it. */
      prescriptionOnly: z.boolean().optional(),
    }),
  }),
  'staff-invitation': z.object({
    link,
    role: z.string(),
    /** ISO instant at which the invitation ends. */
    until: z.iso.datetime(),
  }),
  'confirm-address': aboutLink,
  'password-reset': aboutLink,
  'address-changed': aboutLink,
  'new-device': z.object({
    device: z.string(),
    /** ISO instant. */
    at: z.string(),
  }),
  /** `rights`: those beside the role. */
  'role-changed': z.object({ role: z.string(), rights: z.array(z.string()).optional() }),
} satisfies Record<OutboxKind, z.ZodType>;

/** The data of a kind of message. */
export type OutboxData<Kind extends OutboxKind> = z.output<(typeof outboxData)[Kind]>;

/** The person a message is for. Without an address it is kept, but can't be sent. */
export const outboxRecipient = z.object({
  /** The account; absent for people without one, such as an invited person. */
  account: z.string().optional(),
  /** Lower case. */
  email: z.string().optional(),
  name: z.string().optional(),
});
export type OutboxRecipient = z.output<typeof outboxRecipient>;

/** A message to send, as a service writes it. */
export type NewOutboxEntry = {
  [Kind in OutboxKind]: { readonly kind: Kind; readonly to: OutboxRecipient; readonly data: OutboxData<Kind> };
}[OutboxKind];

/**
 * An entry of a service's outbox on its way to svc-messages, which checks its kind and data: a service of a later
 * release may know kinds that svc-messages doesn't, and those mustn't hold up the others.
 */
export const takenEntry = z.object({
  /** 24 hexadecimal digits; unique in its service. */
  id: z.string(),
  /** ISO instant. */
  at: z.string(),
  kind: z.string(),
  to: outboxRecipient,
  data: z.unknown(),
  /** The person it was for has been deleted: nothing else of it is left, and what was made of it must go, too. */
  forgotten: z.literal(true).optional(),
});
export type TakenEntry = z.output<typeof takenEntry>;

/** Whether this release knows a kind. */
export function isOutboxKind(kind: string): kind is OutboxKind {
  return outboxKinds.some((known) => known === kind);
}
