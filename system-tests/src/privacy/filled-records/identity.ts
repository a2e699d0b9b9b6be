import type { Filled } from '@clinic/service-kit/testing';
import { type Document, ObjectId } from 'mongodb';
import type { InvitationRecord } from '../../../../svc-identity/src/invitations/invitation-record.ts';
import type { SessionRecord } from '../../../../svc-identity/src/sessions/session-record.ts';
import type { UserRecord } from '../../../../svc-identity/src/users/user-record.ts';
import { daysFromNow, mark, type Person } from './values.ts';

export const session = ({ id }: Person): Filled<SessionRecord> => ({
  _id: new ObjectId(),
  userId: new ObjectId(id),
  refreshHash: 'hash-1',
  nextHash: 'hash-2',
  nextIssuedAt: daysFromNow(-2),
  spentHashes: ['hash-3'],
  rotatedAt: daysFromNow(-2),
  createdAt: daysFromNow(-3),
  lastUsedAt: daysFromNow(-2),
  expiresAt: daysFromNow(20),
  idleUntil: daysFromNow(5),
  provenAt: daysFromNow(-3),
  userAgent: mark('user-agent'),
  address: mark('network-address'),
  endedAt: daysFromNow(-0.5),
  replaced: true,
  endedEverywhere: true,
});

export const invitation = (to: string, by: Person): Filled<InvitationRecord> => ({
  _id: new ObjectId(),
  email: to,
  role: 'doctor',
  profile: {
    name: 'Somebody',
    qualification: 'MD',
    specialization: 'Cardiology',
    experience: 5,
    location: 'Level 3',
    availableTimes: ['09:00'],
  },
  tokenHash: `hash-${to}`,
  state: 'revoked',
  invitedAt: daysFromNow(-3),
  expiresAt: daysFromNow(3),
  invitedBy: by,
  acceptedBy: 'b'.repeat(24),
});

/** A user with a value in every field; the ones that decide who somebody is come from the stored user. */
export function user(stored: Document): Filled<UserRecord> {
  const { _id, email, uid, role, version, createdAt, registered } = stored as UserRecord;
  return {
    _id,
    email,
    uid: uid ?? '',
    role,
    version,
    createdAt,
    registered,
    firstName: mark('first-name'),
    lastName: mark('last-name'),
    phone: mark('phone'),
    phoneE164: mark('phone-e164'),
    dateOfBirth: '1947-03-01',
    address: mark('address'),
    rights: ['reception'],
    staff: true,
    roleDecidedAt: daysFromNow(-5),
    emailVerified: true,
    profileNeeded: false,
    passwordUnproven: true,
    linkedProviders: ['google.com'],
    knownDevices: [mark('device')],
    secondFactor: {
      secret: mark('secret'),
      since: daysFromNow(-4),
      lastStep: 5,
      recoverySalt: mark('salt'),
      recoveryHashes: [mark('recovery')],
      lastSpent: { what: mark('spent'), key: mark('key'), at: daysFromNow(-1) },
      devices: [mark('known-device')],
    },
    secondFactorDraft: { secret: mark('draft'), since: daysFromNow(-4) },
    staffProfile: { ...invitation('', { id: '', email: '' }).profile, name: mark('staff-name'), role: 'doctor' },
    disabled: true,
    erasingSince: daysFromNow(-0.1),
    sessionsEndedAt: daysFromNow(-1),
    versionChangedAt: daysFromNow(-1),
    lastSignInAt: daysFromNow(-1),
    sortName: mark('first-name'),
    words: [mark('first-name')],
    letters: [mark('first-letter')],
  };
}
