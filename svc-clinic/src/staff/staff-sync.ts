import type { CallBody } from '@clinic/contracts';
import { staffProfile } from '@clinic/contracts/schemas/person';
import { catchUpWithAccounts, isDuplicateKey, type IsLatestList, type StaffAccount } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { giveAccounts } from '../accounts/assign-accounts.ts';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { createProfile } from '../profiles/create-profile.ts';
import { historyRecorder, type RecordChange } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { joinAppointmentsOfDoctors, takeProfile } from './join-doctor.ts';
import { noteFreedTimes } from '../waitlist/freed-times.ts';

type ProfileRole = CallBody<'createProfile'>['role'];

const kinds = { doctor: 'doctors', pharmacist: 'pharmacists' } as const satisfies Record<ProfileRole, string>;
const roles = Object.keys(kinds) as ProfileRole[];

/** Time by which a rolling upgrade has finished, milliseconds. */
const upgradeTakes = 2 * 86_400_000;

/**
 * Keeps profiles in sync with the staff list: a profile is linked to the account of its email address once that is an active
 * doctor or pharmacist, an invited person gets the profile from the invitation, and a doctor without the role can't be
 * booked. Every step may be repeated, by any replica, at any time.
 */
export class StaffSync {
  readonly #context: ClinicContext;
  /** The latest list from svc-identity. */
  #latest: { readonly staff: readonly StaffAccount[]; readonly isLatest?: IsLatestList } = { staff: [] };

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  /** Syncs all profiles with the list. @throws AggregateError of the failures, after doing everything else */
  async follow(staff: readonly StaffAccount[], isLatest: IsLatestList): Promise<void> {
    this.#latest = { staff, isLatest };
    await catchUpWithAccounts(this.#context);
    // Replicas of the previous release keep running for a while after the schema change.
    await giveAccounts(this.#context, new Date(Date.now() - upgradeTakes));
    await this.#bring(staff, isLatest);
  }

  /** For a profile that an admin has just created, as its person may already be staff. */
  async profileCreated(email: string): Promise<void> {
    const { staff, isLatest } = this.#latest;
    if (isLatest)
      await this.#bring(
        staff.filter((account) => account.email === email),
        isLatest,
      );
  }

  async #bring(staff: readonly StaffAccount[], isLatest: IsLatestList): Promise<void> {
    const failures: unknown[] = [];
    for (const account of staff) {
      try {
        for (const role of roles) if (account.active && account.role === role) await this.#ensureProfile(account, role);
        await this.#followDoctor(account, isLatest);
      } catch (error) {
        failures.push(error);
      }
    }
    await joinAppointmentsOfDoctors(this.#context);
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} profiles could not be synced with the staff list`);
  }

  async #ensureProfile(account: StaffAccount, role: ProfileRole): Promise<void> {
    const profiles = collectionsOf(this.#context.db)[kinds[role]];
    if (await profiles.findOne({ accountId: account.id }, { projection: { _id: 1 } })) return;
    if (!(await this.#take(account, role))) await this.#create(account, role);
  }

  async #take(account: StaffAccount, role: ProfileRole): Promise<boolean> {
    return this.#change(async (session, recordChange) => {
      const id = await takeProfile(this.#context, kinds[role], account, session);
      if (!id) return false;
      await recordChange(session, {
        record: { type: role, id },
        concerns: [account.email],
        accounts: [account.id],
        action: 'joined account',
        before: {},
        after: { accountId: account.id },
      });
      return true;
    });
  }

  async #create(account: StaffAccount, role: ProfileRole): Promise<void> {
    if (!account.profile) return;
    const details = staffProfile.safeParse(account.profile);
    if (!details.success) {
      this.#context.log.warn(
        { account: account.id, fields: details.error.issues.map(({ path }) => path.join('.')) },
        'the profile in an invitation is invalid; an admin has to create it',
      );
      return;
    }
    const profile = { ...details.data, role, email: account.email, accountId: account.id };
    try {
      await this.#change((session, recordChange) =>
        createProfile(
          {
            collections: collectionsOf(this.#context.db),
            profile,
            clock: clinicClock(this.#context.settings),
            recordChange,
          },
          session,
        ),
      );
    } catch (error) {
      // Another replica or an admin was faster; the next list settles whose profile it is.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Suspends or reinstates a doctor according to the list. */
  async #followDoctor({ id, role, active }: StaffAccount, isLatest: IsLatestList): Promise<void> {
    const { doctors } = collectionsOf(this.#context.db);
    const works = active && role === 'doctor';
    const outOfStep = works ? { accountId: id, suspended: true } : { accountId: id, suspended: { $ne: true } };
    if (!(await doctors.findOne(outOfStep, { projection: { _id: 1 } }))) return;
    await this.#change(async (session, recordChange) => {
      if (!(await isLatest(session))) return;
      const doctor = await doctors.findOneAndUpdate(
        outOfStep,
        works ? { $unset: { suspended: '' } } : { $set: { suspended: true } },
        { session, projection: { email: 1 } },
      );
      if (!doctor) return;
      if (works) await noteFreedTimes(collectionsOf(this.#context.db), { doctorEmail: doctor.email }, session);
      await recordChange(session, {
        record: { type: 'doctor', id: doctor._id },
        concerns: [doctor.email],
        accounts: [id],
        action: works ? 'reinstated' : 'suspended',
        before: { suspended: works },
        after: { suspended: !works },
      });
    });
  }

  #change<T>(work: (session: ClientSession, recordChange: RecordChange) => Promise<T>): Promise<T> {
    const recordChange = historyRecorder(this.#context, { call: 'staff', caller: undefined, requestId: 'staff' });
    return this.#context.inTransaction((session) => work(session, recordChange));
  }
}
