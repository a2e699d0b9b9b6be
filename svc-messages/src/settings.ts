import { brand } from '@clinic/contracts/brand';
import {
  choice,
  flag,
  integer,
  keptDays,
  namedUrls,
  optionalText,
  parsedBy,
  quietHours,
  text,
  type ContextFor,
  type Setting,
} from '@clinic/service-kit';

/** A list of numbers separated by commas, each within limits. */
function numbers(options: {
  readonly expected: string;
  readonly least: number;
  readonly most: number;
  readonly default: readonly number[];
}): Setting<readonly number[]> {
  const { expected, least, most } = options;
  return {
    expected,
    example: options.default.join(','),
    default: options.default,
    schema: parsedBy((value) => {
      const parts = value.split(',').map((part) => part.trim());
      if (parts.length > 20 || !parts.every((part) => /^\d+(\.\d+)?$/.test(part))) return undefined;
      const read = parts.map(Number);
      return read.every((one) => one >= least && one <= most) ? read : undefined;
    }),
  };
}

/** Settings of the messages service, in addition to those of every service. */
export const messagesSettings = {
  /** The services whose messages are sent; `|` separates the addresses of one. */
  SOURCES: namedUrls('identity=http://127.0.0.1:4001,clinic=http://127.0.0.1:4002,pharmacy=http://127.0.0.1:4003'),
  /** The mail server. Without it, a demo uses its own mailbox; otherwise messages wait until it is set. */
  SMTP_URL: {
    ...optionalText({
      expected: 'must be the address of a mail server: smtp:// or smtps://',
      example: 'smtps://user:password@mail.example:465',
    }),
    schema: parsedBy((value) => (/^smtps?:\/\/./.test(value) && URL.canParse(value) ? value : undefined)),
  } as Setting<string | undefined>,
  MAIL_FROM: {
    ...text({ default: `${brand.brandName} <${brand.email}>`, expected: 'must be a sender: Name <address>' }),
    schema: parsedBy((value) => (/^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$/.test(value) ? value : undefined)),
  } as Setting<string>,
  /** What messages contain: doctor and time, or also names of medicines. */
  MESSAGE_DETAIL: choice(['minimal', 'full'], { default: 'minimal' }),
  /** `email`, or `file`: messages are appended to a file in MESSAGE_FOLDER, e.g. for a gateway to SMS. */
  MESSAGE_CHANNEL: choice(['email', 'file'], { default: 'email' }),
  MESSAGE_FOLDER: optionalText({ expected: 'must be a folder', example: '/var/lib/messages' }),
  /** Hours before a visit at which its patient is reminded. */
  REMINDER_HOURS: numbers({
    expected: 'must be up to 20 numbers of hours from 0.25 to 720, separated by commas',
    least: 0.25,
    most: 720,
    default: [24, 2],
  }),
  /** When reminders and notices wait, in the clinic's time zone; people can choose other hours. */
  QUIET_HOURS: quietHours,
  /** Minutes between attempts; a message has failed after the last one. Fractions are for tests. */
  RETRY_MINUTES: numbers({
    expected: 'must be up to 20 numbers of minutes from 0.001 to 1440, separated by commas',
    least: 0.001,
    most: 1_440,
    default: [1, 5, 30, 90, 240, 360, 360, 360],
  }),
  /** Seconds for each step of sending a message; if the replica dies, another one tries after eight times as long. */
  SEND_TIMEOUT_SECONDS: integer({ min: 1, max: 300, default: 30 }),
  /**
   * Reminders per second and replica. Thousands may be due in the same minute, and bookings share the database and
   * processors with them. Other messages don't wait.
   */
  REMINDERS_PER_SECOND: integer({ min: 1, max: 1_000, default: 80 }),
  /**
   * Secret with which the mail provider signs its bounce reports (Standard Webhooks); without it none are accepted.
   */
  BOUNCE_SECRET: {
    ...optionalText({
      expected: 'must be whsec_ and at least 24 bytes in base64',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }),
    schema: parsedBy((value) =>
      /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(value) && value.length % 4 === 2 ? value : undefined,
    ),
  } as Setting<string | undefined>,
  /**
   * Encrypts the secrets of webhooks in the database; see `webhookBox` for the default. The previous key may follow
   * after white space.
   */
  WEBHOOK_KEY: optionalText({ expected: 'must be a secret of your own', example: 'a long random text' }),
  /** Whether webhooks may have private addresses and no TLS: for tests and development only. */
  WEBHOOK_PRIVATE: flag({ default: false }),
  /** Days for which messages are kept once they have ended; 0: for ever. */
  MESSAGES_KEPT_DAYS: keptDays(365),
};

export type MessagesContext = ContextFor<typeof messagesSettings>;
