import type { Role } from '@clinic/contracts';
import { internationalPhone, type HistoryEvent } from '@clinic/service-kit';
import { type Db, ObjectId, type OptionalId } from 'mongodb';
import { invitationsOf } from '../../../svc-identity/src/invitations/invitation-record.ts';
import { searchFields, usersOf } from '../../../svc-identity/src/users/user-record.ts';
import type { ThreeServices } from '../support/three-services.ts';
import { seedClinic, seedWaitlist } from './seed-clinic.ts';
import { seedMessages } from './seed-messages.ts';
import { seedPharmacy, seedStockRequests } from './seed-pharmacy.ts';
import { hour, moment, name, now, numbers, phoneNumber, pick } from './seed-values.ts';
import type { ServiceName } from '../support/every-call.ts';

/** Fills every list with similar records, in addition to the demo's. */
export async function seedLists({ databases }: ThreeServices): Promise<void> {
  await seedIdentity(databases.identity);
  await seedClinic(databases.clinic);
  await seedWaitlist(databases.clinic);
  await seedPharmacy(databases.pharmacy);
  await seedStockRequests(databases);
  await seedHistory(databases);
  await seedMessages(databases);
}

async function seedIdentity(db: Db): Promise<void> {
  await usersOf({ db }).insertMany(
    numbers.map((at) => {
      const [firstName = '', ...rest] = name(at).split(' ');
      const person = {
        firstName,
        lastName: rest.join(' '),
        phone: phoneNumber(at),
        phoneE164: internationalPhone(phoneNumber(at), 'BD'),
        dateOfBirth: '1990-01-01',
      };
      const email = `person${at}@letters.example`;
      return {
        _id: new ObjectId(),
        email,
        ...person,
        role: 'patient' as Role,
        emailVerified: true,
        registered: true,
        version: 1,
        createdAt: moment(at),
        ...searchFields(person, email),
      };
    }),
  );
  await invitationsOf({ db }).insertMany(
    numbers
      .map((at) => ({
        _id: new ObjectId(),
        email: `invited${at}@letters.example`,
        role: pick(['doctor', 'pharmacist', 'admin'] as const, at),
        tokenHash: `hash ${at}`,
        state: pick(['open', 'open', 'accepted', 'revoked', 'expired'] as const, at),
        invitedAt: moment(at),
        expiresAt: new Date(now + (at % 3 === 0 ? -hour : 24 * hour)),
        invitedBy: { id: 'f'.repeat(24), email: 'admin@clinic.example' },
      }))
      .map((invitation) =>
        invitation.state === 'expired' ? { ...invitation, expiresAt: new Date(now - hour) } : invitation,
      ),
  );
}

async function seedHistory(databases: ThreeServices['databases']): Promise<void> {
  for (const service of ['identity', 'clinic', 'pharmacy'] as const) {
    await databases[service]
      .collection<OptionalId<HistoryEvent>>('events')
      .insertMany(numbers.map((at) => event(service, at, moment(at))));
  }
  for (const service of ['identity', 'clinic', 'pharmacy', 'messages'] as const)
    await databases[service].collection<{ _id: string }>('looks').insertMany(
      numbers.map((at) => ({
        _id: `look ${at}`,
        at: moment(at),
        by: { id: 'f'.repeat(24), role: 'admin', email: 'admin@clinic.example' },
        whose: `seen${at % 2}@letters.example`,
        email: `seen${at % 2}@letters.example`,
        what: service,
        how: 'opened',
      })),
    );
}

function event(service: ServiceName, at: number, when: Date): HistoryEvent {
  const email = `person${at % 4}@letters.example`;
  return {
    at: when,
    call: 'seed',
    requestId: `list-${at}`,
    record: { type: pick(['user', 'sign-in', 'order'], at), id: String(at % 6).repeat(24) },
    subject: email,
    concerns: [email],
    people: [email, `other${at % 3}@letters.example`],
    action: pick(['status changed', 'signed in', `${service} changed`], at),
    before: null,
    after: { at },
  };
}
