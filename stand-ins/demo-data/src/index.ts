import type { Role } from '@clinic/contracts';
import { demoDoctors } from './doctors.ts';
import { demoAdmin, demoPatients, type DemoPerson } from './people.ts';
import { demoPharmacists } from './pharmacists.ts';

export { demoAccounts, demoAdmin, demoPassword, demoPatients, type DemoPerson } from './people.ts';
export { demoDoctors, type DemoDoctor } from './doctors.ts';
export { demoCallers, demoWaiting, fullyBookedDoctor, type DemoCaller, type DemoWaiting } from './fully-booked.ts';
export { demoPharmacists, type DemoPharmacist } from './pharmacists.ts';

/** A demo account with its role. */
export interface DemoUser extends DemoPerson {
  /**
   * Id of the account, the same in every demo, so that services can seed records of accounts that svc-identity keeps.
   */
  readonly id: string;
  readonly role: Role;
  readonly emailVerified: true;
}

const withRole =
  (role: Role) =>
  ({ firstName, lastName, email, phone, dateOfBirth }: DemoPerson): Omit<DemoUser, 'id'> => ({
    firstName,
    lastName,
    email,
    phone,
    dateOfBirth,
    role,
    emailVerified: true,
  });

const users: readonly Omit<DemoUser, 'id'>[] = [
  withRole('admin')(demoAdmin),
  ...demoDoctors.map(withRole('doctor')),
  ...demoPharmacists.map(withRole('pharmacist')),
  ...demoPatients.map(withRole('patient')),
];

/** Everyone with an account in the demo clinic. */
export const demoUsers: readonly DemoUser[] = users.map((user, index) => ({
  ...user,
  id: `5eed${String(index).padStart(20, '0')}`,
}));
