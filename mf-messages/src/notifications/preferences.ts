import { canOptOut } from '@clinic/svc-messages/contract/kinds';
import type { CallBody } from '@clinic/contracts';
import type { MessagePreferences } from '../calls.ts';
import { kindGroups } from '../words.ts';

/** The groups of kinds that people can do without. */
export const optionalGroups = kindGroups
  .map(({ title, kinds }) => ({ title, kinds: kinds.filter(canOptOut) }))
  .filter(({ kinds }) => kinds.length > 0);

/** Quiet hours that are suggested when somebody switches them on. */
export const suggestedQuiet = { quietFrom: '21:00', quietUntil: '08:00' } as const;

export const isQuiet = ({ quietFrom, quietUntil }: Pick<MessagePreferences, 'quietFrom' | 'quietUntil'>): boolean =>
  quietFrom !== quietUntil;

/** Only the differences, so that a concurrent change of other fields stays. */
export function changesOf(from: MessagePreferences, to: MessagePreferences): CallBody<'changeMessagePreferences'> {
  const kinds = optionalGroups
    .flatMap((group) => group.kinds)
    .filter((kind) => (from.kinds[kind] ?? true) !== (to.kinds[kind] ?? true));
  const fields = (['quietFrom', 'quietUntil', 'timeZone', 'language'] as const).filter(
    (field) => from[field] !== to[field],
  );
  return {
    ...(kinds.length > 0 && { kinds: Object.fromEntries(kinds.map((kind) => [kind, to.kinds[kind] ?? true])) }),
    ...Object.fromEntries(fields.map((field) => [field, to[field]])),
  };
}

/** All time zones of the browser, and the one in use, which may have a name that the browser doesn't list. */
export function timeZones(current: string): string[] {
  return [...new Set([current, ...Intl.supportedValuesOf('timeZone')])].toSorted((a, b) => a.localeCompare(b));
}
