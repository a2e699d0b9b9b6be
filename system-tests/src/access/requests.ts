import {
  addDays,
  clinicMoment,
  routes,
  type Appointment,
  type CallId,
  type Doctor,
  type Invitation,
  type Medicine,
  type Order,
  type Route,
  type ServiceName,
  type User,
} from '@clinic/contracts';
import type { TestFetch } from '@clinic/service-kit/testing';
import { bystanders, people, type ThreeServices } from '../support/three-services.ts';

/** A valid request, about records of the patient, the doctor or a bystander. */
export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Status for authorised callers if the call can't succeed here, e.g. without a real proof; otherwise the contract's. */
  readonly letIn?: number;
  /** The stored record that the call is about, as on the wire. */
  readonly record?: Readonly<Record<string, unknown>>;
}

/** Makes valid requests for each call; one that changes something gets a fresh target each time. */
export interface RequestMaker {
  /** By call, and if a call can be made in several ways, by call and way: `listOrders of all`. */
  readonly requests: Readonly<Record<string, () => Promise<Request>>>;
}

/** The call of an entry in {@link RequestMaker.requests}. */
export function callOf(name: string): {
  readonly id: CallId;
  readonly route: Route & { readonly service: ServiceName };
} {
  const id = name.split(' ')[0] as CallId;
  return { id, route: routes[id] };
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
  const ofPatient = { email: patient.email };
  const aMedicine = { params: { id: medicine._id.$oid } };
  const importBody = () => ({ medicines: [newMedicine().medicine] });

  const requests: Record<string, () => Promise<Request>> = {
    startSession: plain({ body: ofPatient }),
    getSession: plain(),
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

    listMedicines: plain({ query: { limit: '1' } }),
    addMedicine: () => Promise.resolve({ body: newMedicine() }),
    checkMedicineImport: () => Promise.resolve({ body: importBody() }),
    importMedicines: () => Promise.resolve({ body: importBody() }),
    reportStock: plain(),
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
  };
  return { requests };

  function missing(what: string): never {
    throw new Error(`the demo clinic lacks ${what}`);
  }
}
