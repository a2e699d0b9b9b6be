import type { SessionUser } from '@clinic/contracts';

export const amina = {
  email: 'amina@clinic.example',
  firstName: 'Amina',
  lastName: 'Khatun',
  role: 'patient',
  emailVerified: true,
} as const satisfies SessionUser;

export const ann: SessionUser = {
  email: 'ann@mail.example',
  firstName: 'Ann',
  lastName: 'Lee',
  role: 'patient',
  emailVerified: true,
};
