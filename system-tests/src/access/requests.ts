import {
  addDays,
  clinicMoment,
  type Appointment,
  type CallId,
  type Doctor,
  type Holiday,
  type Invitation,
  type Medicine,
  type Order,
  type Route,
  type Schedule,
  type User,
  type WaitlistEntry,
} from '@clinic/contracts';
import type { TestFetch } from '@clinic/service-kit/testing';
import { ObjectId } from 'mongodb';
import { everyRoute, type TestedService } from '../support/every-call.ts';
import { bystanders, people, type ThreeServices } from '../support/three-services.ts';
import { messagesRequests } from './messages-requests.ts';
import type { Request } from './request.ts';

/** People whose address is in records that aren't theirs: they never confirmed it, or lost the role. */
export const withoutRights = {
  /** Has registered the address of a doctor's profile. */
  'an unclaimed doctor': 'unclaimed.doctor@clinic.example',
  /** Has registered an address under which staff booked an appointment. */
  'an unclaimed patient': 'unconfirmed.matrix@mail.example',
  'a former doctor': bystanders.at(-2) ?? '',
} as const;
type WithoutRights = keyof typeof withoutRights;

/** Makes valid requests for each call; one that changes something gets a fresh target each time. */
export interface RequestMaker {
  /** By call, and if a call can be made in several ways, by call and way: `listOrders of all`. */
  readonly requests: Readonly<Record<string, () => Promise<Request>>>;
  /** Calls on records under the addresses of {@link withoutRights}, which have to be made before. */
  readonly attempts: Readonly<Record<string, () => Promise<Request>>>;
}

/** The call of an entry in {@link RequestMaker.requests}. */
export function callOf(name: string): {
  readonly id: CallId;
  readonly route: Route & { readonly service: TestedService };
} {
  const id = name.split(' ')[0] as CallId;
  return { id, route: everyRoute[id] };
}

/** Sends a request. */
export function send(
  fetchFrom: TestFetch,
  { method, path }: Route,
  { params = {}, query = {}, body }: Request,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return fetchFrom(search === '' ? address : `${address}?${search}`, {
    method,
    headers,
    ...(body !== undefined && { json: body }),
  });
}

const { patient, doctor, admin } = people;
const profile = { firstName: 'Amina', lastName: 'Khatun', phone: '+880 1555 010400', dateOfBirth: '1991-06-22' };

/** Prepares the requests: reads the records they are about from the running services. */
export async function openRequestMaker(services: ThreeServices): Promise<RequestMaker> {
  const cookies = new Map<string, string>();
  const as = async (email: string): Promise<ReturnType<ThreeServices['from']>> => {
    const cookie = cookies.get(email) ?? (await services.signIn(email));
    cookies.set(email, cookie);
    return services.from(cookie);
  };
  async function read<T>(answering: Promise<Response>): Promise<T> {
    const answer = await answering;
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  const anyone = services.from('');
  const doctors = await read<Doctor[]>(anyone('clinic')('/doctors'));
  const doctorRecord = doctors.find(({ email }) => email === doctor.email) ?? missing('the doctor');
  const colleague =
    doctors.find(({ email, isAvailable }) => isAvailable && email !== doctor.email) ?? missing('a colleague');
  const [medicine = missing('a medicine in stock')] = (await read<Medicine[]>(anyone('pharmacy')('/medicine'))).filter(
    ({ status, medicine: { quantity, expiryDate } }) =>
      status === 'in stock' && Number(quantity.$numberInt) >= 100 && expiryDate > '2027-06',
  );
  // The second and third are locked permanently and deleted.
  const [bystander = '', locked = '', deleted = ''] = bystanders;

  let made = 0;
  /** Free slots of the doctor, each on a separate day. */
  const freeSlot = (): { date: string; time: string } => {
    made += 1;
    return {
      date: addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 60 + made),
      time: doctorRecord.availableTimes[0] ?? '09:00',
    };
  };
  const booking = () => ({
    patientname: 'Amina Khatun',
    patientemail: patient.email,
    age: 35,
    address: '12 Lake Road',
    number: profile.phone,
    ...freeSlot(),
    doctorname: doctorRecord.name,
    doctoremail: doctor.email,
  });
  const orderBody = {
    items: [{ medicineId: medicine.medicine.medicineId, quantity: 1 }],
    deliveryAddress: '12 Lake Road',
    customeremail: patient.email,
    customerPhone: profile.phone,
  };
  const appointment = async (): Promise<Appointment> =>
    read((await as(patient.email))('clinic')('/appoinments', { method: 'POST', json: booking() }));
  const order = async (): Promise<Order> =>
    read((await as(patient.email))('pharmacy')('/orderMedi', { method: 'POST', json: orderBody }));
  const user = async (email: string): Promise<User> => read((await as(admin.email))('identity')(`/users/${email}`));
  const newMedicine = () => {
    made += 1;
    return {
      medicine: {
        name: `Matrix medicine ${made}`,
        manufacturer: 'Test Labs',
        quantity: 5,
        unit: 'box',
        expiryDate: '2999-01-01',
        pricePerUnit: 1.5,
      },
    };
  };
  const newInvitation = () => {
    made += 1;
    return {
      email: `invited${made}@clinic.example`,
      role: 'pharmacist',
      profile: { name: 'In Vited', qualification: 'BPharm', specialization: 'Dispensing', experience: 2 },
    };
  };
  const invite = async (): Promise<{ readonly token: string; readonly invitation: Invitation }> =>
    read((await as(admin.email))('identity')('/staff/invitations', { method: 'POST', json: newInvitation() }));
  const aboutAppointment = async (body?: () => Request['body']): Promise<Request> => {
    const record = await appointment();
    return { params: { id: record._id }, record, ...(body && { body: body() }) };
  };
  const aboutOrder = async (body?: Request['body']): Promise<Request> => {
    const record = await order();
    return { params: { id: record._id }, record, ...(body && { body }) };
  };
  const plain =
    (request: Request = {}) =>
    () =>
      Promise.resolve(request);
  const doctorId = { params: { id: doctorRecord._id }, record: { ...doctorRecord } };
  /** The appointment, and for doctors the profile, under the address of somebody without rights to it. */
  const recordsOf = async (who: WithoutRights) => {
    const inTheOffice = (await as(admin.email))('clinic');
    const email = withoutRights[who];
    const [record = missing(`an appointment of ${who}`)] = await read<Appointment[]>(
      inTheOffice(`/appoinments?email=${email}`),
    );
    const [profileRecord] = await read<Doctor[]>(anyone('clinic')(`/doctors?email=${email}`));
    return { email, record, profileRecord };
  };
  const aboutRecordOf = (who: WithoutRights, body?: () => Request['body']) => async (): Promise<Request> => {
    const { record } = await recordsOf(who);
    return {
      params: { id: record._id },
      record,
      ...(who === 'an unclaimed patient' && { unclaimed: 'patient' as const }),
      ...(body && { body: body() }),
    };
  };
  const aboutProfileOf = (who: WithoutRights, body?: Request['body']) => async (): Promise<Request> => {
    const { profileRecord } = await recordsOf(who);
    const found = profileRecord ?? missing(`the profile of ${who}`);
    return { params: { id: found._id }, record: { ...found }, ...(body && { body }) };
  };
  const listOf =
    (who: WithoutRights, query: Request['query'] = {}) =>
    async (): Promise<Request> => {
      const { email, record } = await recordsOf(who);
      return { query: { email, ...query }, hidden: record.patientname };
    };
  /** What somebody without rights might try with records under their address. */
  const attemptsOf = (who: WithoutRights): Record<string, () => Promise<Request>> => ({
    [`listAppointments of ${who}`]: listOf(who, { limit: '50' }),
    [`exportClinicData of ${who}`]: listOf(who),
    [`getAppointmentHistory of ${who}`]: aboutRecordOf(who),
    [`getAppointmentCalendar of ${who}`]: aboutRecordOf(who),
    // The status it gets first, so that everybody's request is valid.
    [`changeAppointmentStatus of ${who}`]: aboutRecordOf(who, () => ({ newStatus: 'Confirmed' })),
    [`correctAppointment of ${who}`]: aboutRecordOf(who, () => ({ number: '+880 1555 777010' })),
  });
  const attemptsOfDoctor = (
    who: 'an unclaimed doctor' | 'a former doctor',
  ): Record<string, () => Promise<Request>> => ({
    ...attemptsOf(who),
    [`listUnconfirmedAppointments of ${who}`]: listOf(who, { limit: '50' }),
    [`getProfiles of ${who}`]: async () => {
      const { email, profileRecord } = await recordsOf(who);
      // What the directory says about former doctors stays theirs to read.
      return { params: { email }, ...(who === 'an unclaimed doctor' && { hidden: profileRecord?._id }) };
    },
    [`changeAvailability of ${who}`]: aboutProfileOf(who, { daysOff: [] }),
    [`listAppointmentsOutsideTimes of ${who}`]: aboutProfileOf(who),
  });
  const ofPatient = { email: patient.email };
  const waitFor = ({ _id, date }: Appointment) => ({
    patientemail: patient.email,
    appointment: _id,
    from: date,
    until: date,
    parts: ['evening'],
  });
  /** An offer to the patient that has ended: whoever is let in gets an error. */
  const missedOffer = async (): Promise<Request> => {
    const _id = new ObjectId();
    await services.databases.clinic.collection('waitlistOffers').insertOne({
      _id,
      entryId: new ObjectId(),
      patientId: (await user(patient.email))._id,
      doctorEmail: doctor.email,
      doctorName: doctorRecord.name,
      ...freeSlot(),
      status: 'missed',
      madeAt: new Date(),
      until: new Date(),
      settledAt: new Date(),
    });
    return { params: { id: _id.toHexString() }, record: { patientemail: patient.email }, letIn: 409 };
  };
  const aMedicine = { params: { id: medicine._id.$oid } };
  const importBody = () => ({ medicines: [newMedicine().medicine] });

  const requests: Record<string, () => Promise<Request>> = {
    startSession: plain({ body: ofPatient }),
    getSession: plain(),
    watchSession: plain(),
    proveIdentity: plain({ body: {}, letIn: 400 }),
    refreshSession: plain(),
    endSession: plain(),
    getSessionKeys: plain(),
    registerUser: plain({ body: { ...profile, ...ofPatient } }),
    listUsers: plain({ query: { limit: '1' } }),
    reportUsers: plain(),
    getUser: plain({ params: ofPatient }),
    getUserHistory: plain({ params: ofPatient }),
    changeRole: async () => {
      const { _id, role } = await user(bystander);
      return { params: { id: _id }, body: { newRole: role === 'patient' ? 'doctor' : 'patient' } };
    },
    changeAccess: async () => ({
      params: { email: bystander },
      body: { disabled: (await user(bystander)).disabled !== true },
    }),
    endSessions: plain({ params: ofPatient }),
    changeOwnProfile: plain({ params: ofPatient, body: { address: '12 Lake Road' } }),
    listSessions: plain({ params: ofPatient }),
    endOneSession: plain({ params: { ...ofPatient, id: 'f'.repeat(24) }, letIn: 404 }),
    startSecondFactor: plain({ params: ofPatient }),
    confirmSecondFactor: plain({ params: ofPatient, body: { code: '000000' }, letIn: 403 }),
    renewRecoveryCodes: plain({ params: ofPatient, letIn: 404 }),
    removeSecondFactor: plain({ params: ofPatient, letIn: 409 }),
    listIdentityLooks: plain({ params: ofPatient }),
    listClinicLooks: plain({ query: ofPatient }),
    listPharmacyLooks: plain({ query: ofPatient }),
    inviteStaff: () => Promise.resolve({ body: newInvitation() }),
    listInvitations: plain({ query: { limit: '1' } }),
    revokeInvitation: async () => ({ params: { id: (await invite()).invitation._id } }),
    readInvitation: async () => ({ body: { token: (await invite()).token } }),
    // Belongs to somebody else: nobody takes it.
    acceptInvitation: async () => ({ body: { token: (await invite()).token }, letIn: 403 }),
    listAccessEvents: plain({ query: { limit: '1' } }),
    exportUser: plain({ params: ofPatient }),
    startErasure: plain({ params: { email: locked } }),
    finishErasure: plain({ params: { email: deleted } }),
    exportClinicData: plain({ query: ofPatient }),
    eraseClinicData: plain({ body: { email: deleted, userId: 'd'.repeat(24) } }),
    exportPharmacyData: plain({ query: ofPatient }),
    erasePharmacyData: plain({ body: { email: deleted, userId: 'd'.repeat(24) } }),
    listDeployments: plain(),
    // The services under test keep no releases, so whoever is let in gets a 404.
    changeDeployment: plain({
      params: { name: 'mf-clinic' },
      body: { kind: 'rollback', revision: 'A'.repeat(22) },
      letIn: 404,
    }),
    listIdentityEvents: plain({ query: { limit: '1' } }),
    listClinicEvents: plain({ query: { limit: '1' } }),
    listPharmacyEvents: plain({ query: { limit: '1' } }),

    listDoctors: plain({ query: { limit: '1' } }),
    listFreeTimes: () => Promise.resolve({ ...doctorId, query: { date: freeSlot().date } }),
    listFreeDays: () => {
      const { date } = freeSlot();
      return Promise.resolve({ ...doctorId, query: { from: date, until: addDays(date, 5) } });
    },
    moveToColleague: () =>
      aboutAppointment(() => ({
        doctoremail: colleague.email,
        date: freeSlot().date,
        time: colleague.availableTimes[0] ?? '09:00',
        patientChoice: 'agreed',
      })),
    listAppointmentsOutsideTimes: plain(doctorId),
    changeAvailability: plain({ ...doctorId, body: { isAvailable: true, daysOff: [] } }),
    getSchedule: plain(doctorId),
    previewSchedule: plain({ ...doctorId, body: { periods: [], daysOff: [], exceptions: [] } }),
    changeSchedule: async () => {
      const schedule = await read<Schedule>(
        (await as(doctor.email))('clinic')(`/doctors/${doctorRecord._id}/schedule`),
      );
      return { ...doctorId, body: schedule };
    },
    // Nothing is earlier on that day, so nobody is offered anything.
    joinWaitlist: async () => {
      const request = await aboutAppointment();
      return { record: request.record, body: waitFor(request.record as unknown as Appointment) };
    },
    listWaitlist: plain({ query: ofPatient }),
    listWaitingForDoctor: plain(doctorId),
    leaveWaitlist: async () => {
      const booked = await appointment();
      const entry = await read<WaitlistEntry>(
        (await as(patient.email))('clinic')('/waitlist', { method: 'POST', json: waitFor(booked) }),
      );
      return { params: { id: entry._id }, record: entry };
    },
    listOffers: plain({ query: ofPatient }),
    acceptOffer: missedOffer,
    declineOffer: missedOffer,
    getClinicCalendar: () => {
      const { date } = freeSlot();
      return Promise.resolve({
        query: { doctor: doctorRecord._id, from: date, until: addDays(date, 6) },
        record: doctorId.record,
      });
    },
    listHolidays: plain(),
    addHoliday: () => {
      const { date } = freeSlot();
      return Promise.resolve({ body: { name: 'Matrix day', from: addDays(date, 300), until: addDays(date, 300) } });
    },
    removeHoliday: async () => {
      const { date } = freeSlot();
      const day = addDays(date, 300);
      const { holiday } = await read<{ readonly holiday: Holiday }>(
        (await as(admin.email))('clinic')('/doctors/holidays', {
          method: 'POST',
          json: { name: 'Matrix day', from: day, until: day },
        }),
      );
      return { params: { id: holiday._id } };
    },
    // Within the doctor's hours: whoever is let in gets an error.
    settleOutside: async () => {
      const request = await aboutAppointment();
      const { doctoremail, date, time } = request.record as unknown as Appointment;
      return { ...request, body: { seen: { doctoremail, date, time }, decision: { act: 'keep' } }, letIn: 409 };
    },
    previewSeries: async () => {
      const { record } = await aboutAppointment();
      const body = {
        from: record?.['_id'],
        first: { date: addDays(freeSlot().date, 1), time: '10:00' },
        every: { unit: 'weeks', count: 1 },
        count: 2,
      };
      return { record: record ?? {}, body };
    },
    bookSeries: async () => {
      const { record } = await aboutAppointment();
      const { date, time } = freeSlot();
      return { record: record ?? {}, body: { from: record?.['_id'], dates: [{ date, time }] } };
    },
    // It is no series: whoever is let in gets an error.
    changeSeries: async () => {
      const request = await aboutAppointment();
      const { date, time } = request.record as unknown as Appointment;
      return { ...request, body: { seen: { date, time }, change: { act: 'cancel' } }, letIn: 409 };
    },
    listPharmacists: plain({ query: { limit: '1' } }),
    createProfile: () => {
      made += 1;
      return Promise.resolve({
        body: {
          name: 'New Doctor',
          email: `new.doctor${made}@clinic.example`,
          qualification: 'MD',
          specialization: 'Dermatology',
          experience: 3,
          role: 'doctor',
        },
      });
    },
    changeDoctor: plain({ ...doctorId, body: { location: 'Level 2' } }),
    changePharmacist: async () => {
      const [pharmacist] = await read<{ readonly _id: string }[]>(
        (await as(admin.email))('clinic')('/pharmacists?limit=1'),
      );
      if (!pharmacist) throw new Error('the demo clinic has no pharmacist');
      return { params: { id: pharmacist._id }, body: { status: 'active' } };
    },
    getProfiles: plain({ params: { email: doctor.email } }),
    listAppointments: plain({ query: { ...ofPatient, limit: '1' } }),
    'listAppointments of all': plain({ query: { limit: '1' } }),
    listUnconfirmedAppointments: plain({ query: { email: doctor.email, limit: '1' } }),
    'listUnconfirmedAppointments of a patient': plain({ query: { ...ofPatient, limit: '1' } }),
    watchAppointments: plain(),
    reportAppointments: plain(),
    bookAppointment: () => Promise.resolve({ body: booking() }),
    changeAppointmentStatus: () => aboutAppointment(() => ({ newStatus: 'Cancelled' })),
    rescheduleAppointment: () => aboutAppointment(freeSlot),
    correctAppointment: () => aboutAppointment(() => ({ number: '+880 1555 777009' })),
    getAppointmentCalendar: () => aboutAppointment(),
    getAppointmentHistory: () => aboutAppointment(),
    // Switched off unless the operator publishes free times.
    getSchedulingManifest: plain({ params: { manifest: '$bulk-publish' }, letIn: 404 }),
    getSchedulingFile: plain({ params: { file: 'slots.ndjson' }, letIn: 404 }),
    getCalendarFeed: plain(),
    replaceCalendarFeed: plain(),
    endCalendarFeed: plain(),
    readCalendarFeed: async () => {
      const { path } = await read<{ readonly path: string }>(
        (await as(patient.email))('clinic')('/appoinments/calendar-feed', { method: 'POST' }),
      );
      return { params: { secret: path.split('/').at(-1) ?? '' } };
    },

    listMedicines: plain({ query: { limit: '1' } }),
    addMedicine: () => Promise.resolve({ body: newMedicine() }),
    checkMedicineImport: () => Promise.resolve({ body: importBody() }),
    importMedicines: () => Promise.resolve({ body: importBody() }),
    reportStock: plain(),
    listStockRequests: plain(),
    // It is in stock, so nobody needs to ask.
    askAboutStock: plain({ ...aMedicine, letIn: 409 }),
    stopAskingAboutStock: plain(aMedicine),
    getMedicine: plain(aMedicine),
    updateMedicine: plain({ ...aMedicine, body: { restock: 1 } }),
    listOrders: plain({ query: { ...ofPatient, limit: '1' } }),
    'listOrders of all': plain({ query: { limit: '1' } }),
    watchPharmacy: plain(),
    reportOrders: plain(),
    placeOrder: plain({ body: orderBody }),
    changeOrderStatus: () => aboutOrder({ newStatus: 'Cancelled' }),
    getMedicineHistory: plain(aMedicine),
    getOrderHistory: () => aboutOrder(),

    ...(services.urls.messages !== undefined && messagesRequests(services, (await user(patient.email))._id, deleted)),
  };
  const attempts: RequestMaker['attempts'] = {
    ...attemptsOfDoctor('an unclaimed doctor'),
    'rescheduleAppointment of an unclaimed doctor': aboutRecordOf('an unclaimed doctor', freeSlot),
    ...attemptsOf('an unclaimed patient'),
    'rescheduleAppointment of an unclaimed patient': aboutRecordOf('an unclaimed patient', freeSlot),
    ...attemptsOfDoctor('a former doctor'),
  };
  return { requests, attempts };

  function missing(what: string): never {
    throw new Error(`the demo clinic lacks ${what}`);
  }
}
