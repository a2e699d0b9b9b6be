import { hasRole } from '@clinic/contracts';
import type { Doctor } from '../contract/schemas.ts';
import {
  accountsOfEmails,
  countsKey,
  ownerOfRecord,
  readPage,
  type Handler,
  type ServiceRequest,
} from '@clinic/service-kit';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { containing } from '../containing.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { showDoctors } from '../doctors/show-doctors.ts';
import { toPharmacist, type PharmacistRecord } from '../pharmacists/pharmacist-record.ts';
import { historyRecorder, requestedChange } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import type { StaffSync } from '../staff/staff-sync.ts';
import { changeDoctor, changePharmacist } from './change-profile.ts';
import { createProfile, explainDuplicateProfile, type NewProfile } from './create-profile.ts';

/** Handlers of the calls under /doc-pharma and /pharmacists. */
export function profileHandlers(context: ClinicContext, staffSync: StaffSync) {
  const collections = collectionsOf(context.db);
  const show = showDoctors(context);

  async function showOne(record: DoctorRecord): Promise<Doctor> {
    const [doctor] = await show([record]);
    if (!doctor) throw new Error('the doctor was not shown');
    return doctor;
  }

  const listPharmacists: Handler<'listPharmacists'> = async ({ query }) =>
    readPage(collections.pharmacists, {
      filter: query.q ? containing<PharmacistRecord>(query.q) : {},
      ...(query.q && { countBy: containing<PharmacistRecord>(query.q, [], countsKey) }),
      query,
      sorts: { name: { nameKey: 1, _id: 1 } },
      defaultSort: 'name',
      map: toPharmacist,
      unread: ['searchText', 'searchParts'],
    });

  const create: Handler<'createProfile'> = async (request) => {
    const created = await createRecord(context, request);
    await staffSync.profileCreated(created.email);
    return isDoctor(created) ? showOne(created) : toPharmacist(created);
  };

  const getProfiles: Handler<'getProfiles'> = async ({ params, query, caller }) => {
    const isAdmin = hasRole(caller, ['admin']);
    return show(
      isAdmin
        ? await profilesOf(context, params.email, query.account)
        : await collections.doctors.find({ accountId: caller.id }).toArray(),
    );
  };

  const editDoctor: Handler<'changeDoctor'> = async (request) => {
    const change = requestedChange(context, request);
    return showOne(await context.inTransaction((session) => changeDoctor(change, session)));
  };

  const editPharmacist: Handler<'changePharmacist'> = async (request) => {
    const change = requestedChange(context, request);
    const { CLINIC_COUNTRY } = context.settings;
    return toPharmacist(await context.inTransaction((session) => changePharmacist(change, CLINIC_COUNTRY, session)));
  };

  return {
    listPharmacists,
    createProfile: create,
    changeDoctor: editDoctor,
    changePharmacist: editPharmacist,
    getProfiles,
  };
}

async function createRecord(
  context: ClinicContext,
  request: ServiceRequest<'createProfile'>,
): Promise<DoctorRecord | PharmacistRecord> {
  const { email, userId } = request.body;
  const assertSeen = userId === undefined ? undefined : await ownerOfRecord(context, email, undefined, userId);
  const profile: NewProfile = {
    collections: collectionsOf(context.db),
    profile: request.body,
    clock: clinicClock(context.settings),
    recordChange: historyRecorder(context, request),
  };
  try {
    return await context.inTransaction(async (session) => {
      // The profile joins the account with the role, as that of whoever has none yet.
      await assertSeen?.(session);
      return createProfile(profile, session);
    });
  } catch (error) {
    throw explainDuplicateProfile(error, profile);
  }
}

/**
 * The profile of an account, and one that waits for its account under this address. An account's address may change, its
 * profile's stays: once the address has a new owner, that profile is still the previous owner's.
 *
 * @param asked - the account; otherwise the one that has this address now
 */
async function profilesOf(context: ClinicContext, email: string, asked: string | undefined): Promise<DoctorRecord[]> {
  const { doctors } = collectionsOf(context.db);
  const holder = (await accountsOfEmails(context, [email])).get(email);
  const accountId = asked ?? holder;
  const own = accountId === undefined ? null : await doctors.findOne({ accountId });
  const isTheirs = holder === undefined || holder === accountId;
  const listed = isTheirs
    ? await doctors.findOne({ email, ...(accountId !== undefined && { accountId: { $exists: false } }) })
    : null;
  return [own, listed].filter((profile) => profile !== null);
}

function isDoctor(profile: DoctorRecord | PharmacistRecord): profile is DoctorRecord {
  return 'availableTimes' in profile;
}
