import { createHash } from 'node:crypto';
import type { OutboxRecipient } from '@clinic/contracts/outbox/entries';
import type { Collection, Db } from 'mongodb';
import { canOptOut, messageKinds, type MessageKind } from '../contract/kinds.ts';
import { languageOf } from '../contract/languages.ts';
import type { MessagePreferences } from '../contract/schemas.ts';
import type { MessagesContext } from '../settings.ts';

/** A person's preferences; the clinic's defaults apply to missing fields. */
export interface PreferencesRecord {
  /** The account, or an address without one; see {@link preferencesKey}. */
  readonly _id: string;
  /** The account's address, for admins' searches. */
  readonly email?: string;
  /** Kinds that they have switched off. */
  readonly off: readonly string[];
  /** 'HH:mm' in `timeZone`. */
  readonly quietFrom?: string;
  readonly quietUntil?: string;
  /** IANA name. */
  readonly timeZone?: string;
  /** Language of messages; may be one that only a later release knows. */
  readonly language?: string;
  readonly changedAt: Date;
}

export const preferencesOf = ({ db }: { readonly db: Db }): Collection<PreferencesRecord> =>
  db.collection('preferences');

/** Key of the preferences for a message: its account, or its address if it has none. */
export function preferencesKey({ account, email }: OutboxRecipient): string | undefined {
  return account ?? (email === undefined ? undefined : `address:${email}`);
}

/** Preferences in their wire shape. */
export function toPreferences(
  record: PreferencesRecord | null,
  { QUIET_HOURS, CLINIC_TZ }: Pick<MessagesContext['settings'], 'QUIET_HOURS' | 'CLINIC_TZ'>,
): MessagePreferences {
  const off = new Set(record?.off ?? []);
  const kinds: Partial<Record<MessageKind, boolean>> = {};
  for (const kind of messageKinds) if (canOptOut(kind)) kinds[kind] = !off.has(kind);
  return {
    kinds,
    quietFrom: record?.quietFrom ?? QUIET_HOURS.from,
    quietUntil: record?.quietUntil ?? QUIET_HOURS.until,
    timeZone: record?.timeZone ?? CLINIC_TZ,
    language: languageOf(record?.language),
  };
}

/** ETag of preferences (RFC 9110, section 8.8.3). */
export function preferencesEtag(preferences: MessagePreferences): string {
  return `"${createHash('sha256').update(JSON.stringify(preferences)).digest('base64url').slice(0, 22)}"`;
}
