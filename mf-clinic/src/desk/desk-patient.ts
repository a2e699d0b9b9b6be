import type { User } from '@clinic/contracts';
import { ageOn } from '@clinic/contracts';
import { isSameName } from '@clinic/contracts/same-name';
import type { FoundPatient } from '@clinic/svc-clinic/contract/calendar-calls';

/** Somebody whom staff book for. */
export interface DeskPatient {
  readonly key: string;
  readonly name: string;
  /** That of somebody without one stands for it, so that the next visit is theirs, too; `null`: a new patient without one. */
  readonly email: string | null;
  /** The account that has the address; absent: none was found. */
  readonly userId?: string;
  /** Empty if it isn't known, as the address. */
  readonly number: string;
  readonly address: string;
  /** Years; `null` if it isn't known. */
  readonly age: number | null;
  /** 'yyyy-mm-dd', or empty. */
  readonly born: string;
  /** An earlier or coming appointment. */
  readonly visit?: Pick<FoundPatient, 'appointment' | 'date' | 'doctorname'>;
}

function withAccount(user: User, today: string, visit: FoundPatient | undefined): DeskPatient {
  const { email, phone, dateOfBirth, address = '' } = user;
  return {
    key: `account ${user._id}`,
    userId: user._id,
    name: `${user.firstName} ${user.lastName}`.trim() || email,
    email,
    number: phone || visit?.number || '',
    address: address || visit?.address || '',
    age: (dateOfBirth ? ageOn(today, dateOfBirth) : visit?.age) || null,
    born: dateOfBirth,
    ...(visit && { visit }),
  };
}

const withoutAccount = (visit: FoundPatient): DeskPatient => ({
  key: `visit ${visit.appointment}`,
  name: visit.patientname,
  email: visit.patientemail,
  number: visit.number,
  address: visit.address,
  age: visit.age || null,
  born: '',
  visit,
});

/**
 * Accounts, each with its latest visit, then the patients of visits who have no account or come under another's, such as a
 * parent's.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 */
export function deskPatients(
  users: readonly User[],
  visits: readonly FoundPatient[],
  today: string,
): readonly DeskPatient[] {
  const isOf = (visit: FoundPatient, { email, firstName, lastName }: User): boolean =>
    visit.patientemail === email && isSameName(visit.patientname, `${firstName} ${lastName}`);
  const accounts = users.map((user) =>
    withAccount(
      user,
      today,
      visits.find((visit) => isOf(visit, user)),
    ),
  );
  const others = visits.filter((visit) => !users.some((user) => isOf(visit, user))).map(withoutAccount);
  return [...accounts, ...others];
}
