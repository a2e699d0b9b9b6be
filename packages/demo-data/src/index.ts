import type { Role } from '@clinic/contracts';
import { demoDoctors } from './doctors.ts';
import { demoAdmin, demoPatients, type DemoPerson } from './people.ts';
import { demoPharmacists } from './pharmacists.ts';

export { demoAccounts, demoAdmin, demoPassword, demoPatients, type DemoPerson } from './people.ts';
export { demoDoctors, type DemoDoctor } from './doctors.ts';
export { demoPharmacists, type DemoPharmacist } from './pharmacists.ts';

/** A demo account with its role. */
export interface DemoUser extends DemoPerson {
  readonly role: Role;
  readonly emailVerified: true;
}

const withRole =
  (role: Role) =>
  ({ firstName, lastName, email, phone, dateOfBirth }: DemoPerson): DemoUser => ({
    firstName,
    lastName,
    email,
    phone,
    dateOfBirth,
    role,
    emailVerified: true,
  });

/** Everyone with an account in the demo clinic. */
export const demoUsers: readonly DemoUser[] = [
  withRole('admin')(demoAdmin),
  ...demoDoctors.map(withRole('doctor')),
  ...demoPharmacists.map(withRole('pharmacist')),
  ...demoPatients.map(withRole('patient')),
];
