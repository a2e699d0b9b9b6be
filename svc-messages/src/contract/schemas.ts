import { id } from '@clinic/contracts/schemas/fields';
import { period } from '@clinic/contracts/schemas/report-period';
import { z } from 'zod';
import { bounceReasons, messageKinds, messageStatuses, suppressionReasons } from './kinds.ts';
import { languageNames, messageLanguages } from './languages.ts';

export const kind = z.enum(messageKinds, { error: `Kind must be one of ${messageKinds.join(', ')}` });
export const status = z.enum(messageStatuses, { error: `Status must be one of ${messageStatuses.join(', ')}` });

/** What a message is about, for a line of a list. */
const about = z.object({
  /** The doctor's name. */
  doctor: z.string().optional(),
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  date: z.string().optional(),
  /** 'HH:mm' in the clinic's time zone. */
  time: z.string().optional(),
  /** Number of the order. */
  order: z.string().optional(),
});

export const ownMessage = z.object({
  _id: id,
  /** One of the kinds, or one that only a later release knows. */
  kind: z.string(),
  about,
  status,
  reason: z.enum(suppressionReasons).optional(),
  /** ISO instants. */
  createdAt: z.string(),
  dueAt: z.string(),
  sentAt: z.string().optional(),
});

/** One of the caller's own messages. */
export type OwnMessage = z.infer<typeof ownMessage>;

export const message = ownMessage.extend({
  to: z.object({ email: z.string().optional(), name: z.string().optional() }),
  /** Attempts to send it so far. */
  attempts: z.number(),
  /** ISO instant of the next attempt, of a pending message. */
  nextAttemptAt: z.string().optional(),
  /** Why the last attempt failed, in the mail server's words. */
  lastError: z.string().optional(),
  /** Language in which it was sent; may be one that only a later release knows. */
  language: z.string().optional(),
});

/** A message in the ledger. */
export type Message = z.infer<typeof message>;

export const language = z.enum(messageLanguages, {
  error: `Language must be one of ${messageLanguages.map((one) => `${one} (${languageNames[one]})`).join(', ')}`,
});

export const ownAddress = z.object({
  email: z.string(),
  /** Present if nothing is sent to the address at the moment. */
  stopped: z
    .object({
      why: z.enum(bounceReasons),
      /** ISO instant of the report. */
      at: z.string(),
      /** Whether the person may have the address tried again. */
      canAccept: z.boolean(),
    })
    .optional(),
});

/** The caller's address, and whether messages go there. */
export type OwnAddress = z.infer<typeof ownAddress>;

export const preferences = z.object({
  /** Whether the person wants messages of a kind, for the kinds that can be switched off. */
  kinds: z.partialRecord(kind, z.boolean()),
  /** 'HH:mm' in `timeZone`; the same as `quietUntil`: no quiet hours. */
  quietFrom: z.string(),
  quietUntil: z.string(),
  /** IANA name. */
  timeZone: z.string(),
  /** Of messages; absent from a service that knows none but English. */
  language: language.optional(),
});

/** How a person wants to be notified. */
export type MessagePreferences = z.infer<typeof preferences>;

export const mail = z.object({
  _id: id,
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  messageId: z.string(),
  /** ISO instant. */
  receivedAt: z.string(),
});

/** A mail of the demo's mailbox. */
export type DemoMail = z.infer<typeof mail>;

export const figures = z.object({
  ...period,
  /** Messages by kind and the clinic's day on which they arrived. */
  days: z.array(
    z.object({
      day: z.string(),
      kind: z.string(),
      sent: z.number(),
      failed: z.number(),
      suppressed: z.number(),
      pending: z.number(),
    }),
  ),
  /** ISO instant at which the oldest pending message that is due was due; absent if none is. */
  oldestDue: z.string().optional(),
  /** Failed messages of any day, awaiting an admin. */
  failed: z.number(),
});

export const fullMail = mail.extend({
  text: z.string(),
  html: z.string().optional(),
  attachments: z.array(z.object({ name: z.string(), type: z.string(), content: z.string() })),
});

const visit = z.object({ doctor: z.string(), date: z.string(), time: z.string() });

/** What a link can do. */
const act = z.enum(['cancel', 'move', 'arrive', 'come']);

export const action = z.object({
  action: act,
  visit,
  /** ISO instant until which the patient may do it. */
  until: z.string(),
  /** Times to move to, with `move`. */
  freeTimes: z.array(z.object({ date: z.string(), times: z.array(z.string()) })).optional(),
});

export const actionDone = z.object({ action: act, visit });

export const kindSetting = z.object({
  kind,
  /** Whether messages of this kind are sent at all. */
  enabled: z.boolean(),
  /** Whether people can switch them off. */
  canOptOut: z.boolean(),
});
