import { formatOrderTotal, formatShortDate, formatTime } from '@clinic/app-kit';
import { hasNoEmail } from '@clinic/contracts/erased-person';
import { isReleaseAction } from '@clinic/svc-identity/contract/actions';
import { inWords as instantInWords } from '../instants.tsx';
import type { ListedEvent } from './merge-events.ts';

/** A changed field. */
export interface FieldChange {
  readonly field: string;
  /** The old value; absent if the record was new or had none. */
  readonly before: string | undefined;
  readonly after: string;
}

/** Actions whose stored name isn't what people read. */
const labels: Readonly<Record<string, string>> = {
  'e-mail confirmed': 'email confirmed',
  'e-mail changed': 'email changed',
  'sign-in refused': 'sign-in rejected',
  'refresh id reused': 'session ended: it was used twice',
  'joined account': 'linked to an account',
};

/** The event's action in words. */
export function labelOf(action: string): string {
  return labels[action] ?? action;
}

/** Shown elsewhere in the row, or not meant for a screen. */
const unsaid = new Set([
  '_id',
  'id',
  'nameKey',
  'specialtyKey',
  'searchText',
  'searchParts',
  'nameParts',
  'words',
  'people',
  'specialty',
  'nextFree',
  'nextFreeTimes',
  'bookableUntil',
  'changeUntil',
  'accountId',
  'patientId',
  'doctorAccountId',
  'customerId',
  'offer',
  'appointment',
  'session',
  'invitation',
  'you',
  'start',
  'end',
]);

/** Labels of fields whose stored name isn't the everyday word. */
const fieldNames: Readonly<Record<string, string>> = {
  patientname: 'patient',
  patientemail: 'patient’s email',
  doctorname: 'doctor',
  doctoremail: 'doctor’s email',
  customeremail: 'customer’s email',
  customerPhone: 'customer’s phone',
  number: 'phone',
  orderId: 'order',
  medicineId: 'medicine number',
  pricePerUnit: 'price',
  isAvailable: 'takes appointments',
  availableTimes: 'working times',
  experience: 'years of experience',
  patientChoice: 'patient’s answer',
  priceMinor: 'price',
  expiryDate: 'expiry',
  maxPerCustomer: 'most per customer',
  customerLimit: 'most per customer',
  disabled: 'switched off',
  suspended: 'account switched off',
  secondFactor: 'second step',
  emailVerified: 'email confirmed',
  left: 'recovery codes left',
  provider: 'logged in with',
  from: 'first day',
  until: 'until',
  parts: 'times of day',
  image: 'picture',
  experienceYears: 'years of experience',
  weeklyHours: 'weekly hours',
  minutes: 'length in minutes',
  pharmacistEmail: 'pharmacist’s email',
  invitedBy: 'invited by',
  expiresAt: 'works until',
  share: 'share of visitors',
  unreturned: 'not returned to stock',
  attendance: 'state on the day',
  answeredAt: 'questions answered',
  walkIn: 'walk-in',
  surplus: 'more than the stock had room for',
};

/**
 * What an event changed, field by field, in words.
 *
 * @param timeZone - IANA name, the clinic's
 */
export function fieldChanges(
  { before, after }: Pick<ListedEvent, 'before' | 'after'>,
  timeZone: string,
): FieldChange[] {
  return Object.entries(after)
    .filter(
      ([field, value]) =>
        !unsaid.has(field) && !isEmpty(value) && JSON.stringify(value) !== JSON.stringify(before?.[field]),
    )
    .concat(
      Object.keys(before ?? {})
        .filter((field) => !unsaid.has(field) && isEmpty(after[field]) && !isEmpty(before?.[field]))
        .map((field) => [field, undefined]),
    )
    .map(([field, value]) => ({
      field: nameOf(field),
      before: isEmpty(before?.[field]) ? undefined : valueOf(field, before?.[field], timeZone),
      after: valueOf(field, value, timeZone),
    }));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** 'deliveryAddress' → 'delivery address' */
function nameOf(field: string): string {
  return Object.hasOwn(fieldNames, field)
    ? String(fieldNames[field])
    : field.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

function valueOf(field: string, value: unknown, timeZone: string): string {
  if (field === 'priceMinor' && typeof value === 'number') return formatOrderTotal(value);
  if (field === 'series' && typeof value === 'object' && value !== null && 'number' in value && 'of' in value)
    return `${String(value.number)} of ${String(value.of)}`;
  // An instant, as JSON writes it.
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return instantInWords(value, timeZone);
  return inWords(value);
}

function inWords(value: unknown): string {
  if (isEmpty(value)) return 'none';
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (typeof value === 'object' && value !== null) return inObject(value as Readonly<Record<string, unknown>>);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? textInWords(value) : String(value as number);
}

/** Ids as the short numbers that screens show, days and times as people write them. */
function textInWords(text: string): string {
  if (/^[\da-f]{24}$/.test(text)) return `#${text.slice(-6).toUpperCase()}`;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatShortDate(text);
  if (/^\d{2}:\d{2}$/.test(text)) return formatTime(text);
  return hasNoEmail(text) ? 'none' : text;
}

function inObject(value: Readonly<Record<string, unknown>>): string {
  const { name, quantity, priceMinor, ...rest } = value;
  if (name !== undefined && quantity !== undefined)
    return `${inWords(quantity)} × ${inWords(name)}${typeof priceMinor === 'number' ? ` at ${formatOrderTotal(priceMinor)}` : ''}`;
  return Object.values({ ...rest, ...(name !== undefined && { name }), ...(quantity !== undefined && { quantity }) })
    .map(inWords)
    .join(' ');
}

/** The record in words: its name, an order's number, or else the people it concerns besides whoever changed it. */
export function recordName({
  record,
  people,
  actor,
  before,
  after,
}: Pick<ListedEvent, 'record' | 'people' | 'actor' | 'before' | 'after'>): string {
  const name = after['name'] ?? before?.['name'];
  if (typeof name === 'string' && name !== '') return name;
  const number = record.type === 'order' ? [orderNumber(record)] : [];
  return [...number, ...new Set(people.filter((email) => email !== actor?.email && !hasNoEmail(email)))].join(', ');
}

/** The number as screens show it and the search of orders takes it. */
const orderNumber = ({ id }: ListedEvent['record']): string => `#${id.slice(-6).toUpperCase()}`;

/** What finds an appointment by its patient: the email address, or the name of somebody who has none, if the event has it. */
function patientIn({ people, after, before }: Pick<ListedEvent, 'people' | 'after' | 'before'>): unknown {
  return people.some(hasNoEmail)
    ? (after['patientname'] ?? before?.['patientname'])
    : (after['patientemail'] ?? people.at(-1));
}

/** The address of the account that an event is about: the new one after a move, and of an invitation whoever accepted it. */
function accountIn({
  action,
  people,
  actor,
  after,
}: Pick<ListedEvent, 'action' | 'people' | 'actor' | 'after'>): unknown {
  return action === 'invitation accepted' ? actor?.email : (after['email'] ?? people.at(-1));
}

/** Where the event's record can be viewed. */
export function recordAddress({ record, action, people, actor, after, before }: ListedEvent): string | undefined {
  if (isReleaseAction(action)) return '/dash/deployments';
  const search = (path: string, q: unknown): string =>
    typeof q === 'string' && q !== '' ? `${path}?q=${encodeURIComponent(q)}` : path;
  switch (record.type) {
    case 'user':
    case 'sign-in':
      return search('/dash/admin', accountIn({ action, people, actor, after }));
    case 'doctor':
      return `/dash/doctors?profile=${record.id}`;
    case 'waitlist':
      return '/dash/waitlist';
    case 'holiday':
      return '/dash/schedules';
    case 'question form':
      return '/dash/questions';
    case 'pharmacist':
      return search('/dash/pharmacists', after['name'] ?? before?.['name']);
    case 'appointment':
      return search('/dash/appoinments', patientIn({ people, after, before }));
    case 'order':
      return search('/dash/orders', orderNumber(record));
    case 'medicine':
      return search('/dash/medicine', after['name'] ?? before?.['name']);
    // A newer service may have other records.
    default:
      return undefined;
  }
}
