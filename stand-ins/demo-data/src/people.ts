import type { Role } from '@clinic/contracts';

/** Someone who can sign in to the demo clinic. All of them are invented. */
export interface DemoPerson {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  /** 'yyyy-mm-dd' */
  readonly dateOfBirth: string;
}

/** The password of every demo account. It only works in demo mode, where accounts live in the emulator. */
export const demoPassword = 'Demo-1234';

/** One account per role for trying the demo; the login page offers them. */
export const demoAccounts = {
  admin: 'admin@clinic.example',
  doctor: 'doctor@clinic.example',
  pharmacist: 'pharmacist@clinic.example',
  patient: 'patient@clinic.example',
} as const satisfies Record<Role, string>;

const person = (
  firstName: string,
  lastName: string,
  email: string,
  phone: string,
  dateOfBirth: string,
): DemoPerson => ({
  firstName,
  lastName,
  email,
  phone,
  dateOfBirth,
});

export const demoAdmin = person('Nadia', 'Rahman', demoAccounts.admin, '+880 1555 010100', '1982-03-14');

/** The first is the demo patient; the demo's appointments and orders belong to these people. */
export const demoPatients: readonly DemoPerson[] = [
  person('Amina', 'Khatun', demoAccounts.patient, '+880 1555 010400', '1991-06-22'),
  person('Rafiq', 'Islam', 'rafiq.islam@mail.example', '+880 1555 010401', '1978-11-02'),
  person('Sofia', 'Martins', 'sofia.martins@mail.example', '+880 1555 010402', '1996-01-30'),
  person('Tariq', 'Aziz', 'tariq.aziz@mail.example', '+880 1555 010403', '1965-08-17'),
  person('Grace', 'Okafor', 'grace.okafor@mail.example', '+880 1555 010404', '1988-04-09'),
  person('Jonas', 'Lindqvist', 'jonas.lindqvist@mail.example', '+880 1555 010405', '1972-12-25'),
  person('Mehjabin', 'Chowdhury', 'mehjabin.chowdhury@mail.example', '+880 1555 010406', '2001-09-13'),
  person('Daniel', 'Costa', 'daniel.costa@mail.example', '+880 1555 010407', '1984-07-05'),
  person('Leila', 'Haddad', 'leila.haddad@mail.example', '+880 1555 010408', '1959-02-28'),
  person('Arjun', 'Mehta', 'arjun.mehta@mail.example', '+880 1555 010409', '1993-10-19'),
  person('Hannah', 'Weiss', 'hannah.weiss@mail.example', '+880 1555 010410', '1999-05-11'),
  person('Kazi', 'Hasan', 'kazi.hasan@mail.example', '+880 1555 010411', '1980-03-03'),
];
