import { clinicMoment, minuteOf, timeOf } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Right, User } from '@clinic/contracts';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { passMidnight } from '@clinic/service-kit/testing/hold-clock';
import { test, type APIRequestContext } from '@playwright/test';
import { confirmAddress, expectOk, read, registerPatient, signIn, type Patient } from './people.ts';

const timeZone = 'Asia/Dhaka';
/**
 * Minutes of a visit, and from when on there are any: the shortest of which a day around the clock may have so many. Half
 * an hour before midnight there are too few left.
 */
const around = { visitMinutes: 15, from: '00:00', first: (now: number) => (Math.floor(now / 15) + 1) * 15 };
const atNight = { visitMinutes: 1, from: '23:00', first: () => 1_438 };
/** Minutes in which a test is over. */
const enough = 5;

/** The clinic's minute of the day and date. */
const clinicNow = (): { readonly minute: number; readonly date: string } => {
  const { date, time } = clinicMoment(new Date(), timeZone);
  return { minute: minuteOf(time), date };
};

/** The office's requests about a day that no other test uses. */
export class DayOffice {
  readonly #admin: APIRequestContext;
  readonly #date: string;
  readonly #hours: typeof around;
  /** All visits are counted from it: otherwise two have one time if a quarter of an hour begins between them. */
  readonly #first: number;

  private constructor(admin: APIRequestContext) {
    const { minute, date } = clinicNow();
    this.#admin = admin;
    this.#date = date;
    this.#hours = minute < 1_440 - 30 ? around : atNight;
    this.#first = this.#hours.first(minute);
  }

  /** @param admin - requests without a session yet, marked as our own pages' */
  static async open(admin: APIRequestContext): Promise<DayOffice> {
    test.setTimeout(test.info().timeout + enough * 60_000);
    await passMidnight(enough);
    await signIn(admin, { email: demoAccounts.admin, password: demoPassword });
    return new DayOffice(admin);
  }

  /** A doctor who still works today, in a room of their own, with short visits. */
  async newDoctor(
    api: APIRequestContext,
    device: string,
  ): Promise<Patient & { readonly id: string; readonly room: string }> {
    const mark = Date.now().toString(36);
    const room = `Level 2, Room ${mark}`;
    const person = await registerPatient(api, 'Dora', device, `Day${mark}`);
    await confirmAddress(api, person);
    const profile = {
      name: `Dr. ${person.firstName} ${person.lastName}`,
      email: person.email,
      qualification: 'MBBS',
      specialization: 'Dermatology',
      experience: 5,
      role: 'doctor',
    };
    const { _id: id } = await read<Doctor>(await this.#admin.post('/doc-pharma', { data: profile }));
    const path = `/doctors/${id}/schedule`;
    const { version } = await read<{ version: string }>(await this.#admin.get(path));
    const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
    const { from, visitMinutes: slotMinutes } = this.#hours;
    const hours = days.map((day) => ({ day, from, until: '24:00', place: room }));
    const periods = [{ slotMinutes, bufferMinutes: 0, hours }];
    await expectOk(await this.#admin.patch(path, { data: { version, takesAppointments: true, periods } }));
    const user = await read<User>(await this.#admin.get(`/users/${person.email}`));
    await expectOk(await this.#admin.patch(`/update-role/${user._id}`, { data: { newRole: 'doctor' } }));
    return { ...person, id, room };
  }

  /** @param slots - from the first one on */
  book(
    doctor: Patient,
    patientname: string,
    patientemail: string | null,
    slots: number,
    date?: string,
  ): Promise<Appointment> {
    const time = timeOf(this.#first + slots * this.#hours.visitMinutes);
    const data = { patientname, patientemail, age: null, address: null, number: '+880 1555 777016' };
    return this.#admin
      .post('/appoinments', { data: { ...data, doctoremail: doctor.email, date: date ?? this.#date, time } })
      .then((answer) => read<Appointment>(answer));
  }

  async note({ _id }: Appointment, from: string, to: string): Promise<void> {
    await expectOk(await this.#admin.patch(`/appoinments/${_id}/attendance`, { data: { from, to } }));
  }

  async setRight({ email }: Pick<Patient, 'email'>, right: Right, given: boolean): Promise<void> {
    await expectOk(await this.#admin.patch(`/users/${email}/rights`, { data: { right, given } }));
  }

  /** @returns the new address's path */
  async newScreen(): Promise<string> {
    const { secret } = await read<{ secret: string }>(await this.#admin.post('/appoinments/waiting-screen'));
    return `/waiting-screen/${secret}`;
  }

  async endScreen(): Promise<void> {
    await expectOk(await this.#admin.delete('/appoinments/waiting-screen'));
  }

  /** Who has looked at somebody's appointments, and how. */
  async looksAt(email: string): Promise<string[]> {
    const looks = await read<{ by: { email: string }; how: string }[]>(
      await this.#admin.get(`/appoinments/looks?email=${email}`),
    );
    return looks.map(({ by, how }) => `${by.email} ${how}`);
  }
}
