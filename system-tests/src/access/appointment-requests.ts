import { addDays, clinicMoment } from '@clinic/contracts';
import type { QuestionForm } from '@clinic/svc-clinic/contract/question-calls';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people } from '../support/three-services.ts';
import type { ClinicRecords } from './clinic-records.ts';
import { ofPatient, page, plain, type Requests } from './request.ts';

const { doctor, patient } = people;

/** Requests for the calls of svc-clinic about appointments. */
export function appointmentRequests(records: ClinicRecords) {
  const { as, doctorId, colleague, deleted, freeSlot, booking, aboutAppointment } = records;
  return {
    moveToColleague: () =>
      aboutAppointment(() => ({
        doctoremail: colleague.email,
        date: freeSlot().date,
        time: colleague.availableTimes[0] ?? '09:00',
        patientChoice: 'agreed',
      })),
    listAppointmentsOutsideTimes: plain(doctorId),
    proposeMoves: async () => {
      const { record } = await aboutAppointment();
      return { record: record ?? {}, body: { appointments: [record?.['_id']] } };
    },
    // Within the doctor's hours: whoever is let in gets an error.
    settleOutside: async () => {
      const request = await aboutAppointment();
      const { doctoremail, date, time } = request.record as unknown as Appointment;
      return { ...request, body: { seen: { doctoremail, date, time }, decision: { act: 'keep' } }, letIn: 409 };
    },
    ...seriesRequests(records),
    listAppointments: plain({ query: { ...ofPatient, limit: '1' } }),
    'listAppointments of all': plain(page),
    listUnconfirmedAppointments: plain({ query: { email: doctor.email, limit: '1' } }),
    'listUnconfirmedAppointments of a patient': plain({ query: { ...ofPatient, limit: '1' } }),
    findPatients: plain({ query: { q: 'pat', email: doctor.email } }),
    'findPatients of all': plain({ query: { q: 'pat' } }),
    ...attendanceRequests(records),
    watchAppointments: plain(),
    reportAppointments: plain(),
    bookAppointment: () => Promise.resolve({ body: booking() }),
    changeAppointmentStatus: () => aboutAppointment(() => ({ newStatus: 'Cancelled' })),
    rescheduleAppointment: () => aboutAppointment(freeSlot),
    correctAppointment: () => aboutAppointment(() => ({ number: '+880 1555 777009' })),
    getAppointmentCalendar: () => aboutAppointment(),
    getAppointmentHistory: () => aboutAppointment(),
    getCalendarFeed: plain(),
    replaceCalendarFeed: plain(),
    endCalendarFeed: plain(),
    readCalendarFeed: async () => {
      const { path } = await readJson<{ readonly path: string }>(
        (await as(patient.email))('clinic')('/appoinments/calendar-feed', { method: 'POST' }),
      );
      return { params: { secret: path.split('/').at(-1) ?? '' } };
    },
    listClinicLooks: plain({ query: ofPatient }),
    exportClinicData: plain({ query: ofPatient }),
    eraseClinicData: plain({ body: { email: deleted, userId: 'd'.repeat(24) } }),
    erasePatient: async () => {
      // Of a patient whom the desk booked without an email address.
      const json = { ...booking(), patientemail: null, age: null, address: null };
      const inTheOffice = (await as(people.admin.email))('clinic');
      const record = await readJson<Appointment>(inTheOffice('/appoinments', { method: 'POST', json }));
      return { params: { id: record._id }, record };
    },
    listClinicEvents: plain(page),
  } satisfies Requests;
}

/** About the day of a visit. */
function attendanceRequests(records: ClinicRecords) {
  const { as, aboutAppointment } = records;
  const { date } = clinicMoment(new Date(), 'Asia/Dhaka');
  return {
    getDay: plain({ query: { date, email: doctor.email } }),
    'getDay of all': plain({ query: { date } }),
    // It isn't today: whoever is let in gets an error.
    changeAttendance: async () => ({
      ...(await aboutAppointment(() => ({ from: 'expected', to: 'arrived' }))),
      letIn: 409,
    }),
    // Nobody has this code: whoever is let in gets an error.
    arriveByCode: plain({ body: { code: '0000' }, letIn: 404 }),
    getPlaceInQueue: () => aboutAppointment(),
    ...questionRequests(records),
    getWaitingScreen: plain(),
    replaceWaitingScreen: plain(),
    endWaitingScreen: plain(),
    readWaitingRoom: async () => {
      const inTheOffice = (await as(people.admin.email))('clinic');
      const { secret } = await readJson<{ readonly secret: string }>(
        inTheOffice('/appoinments/waiting-screen', { method: 'POST' }),
      );
      return { params: { secret } };
    },
  } satisfies Requests;
}

/** About the questions before a visit. */
function questionRequests({ as, doctorRecord, aboutAppointment }: ClinicRecords) {
  const specialty = doctorRecord.specialization;
  const questions = [{ id: 'q1', text: 'Do you smoke?', kind: 'yes or no', required: true }];
  /** The form as it is now; the tests that save it make it another version each time. */
  const form = async () => {
    const inTheOffice = (await as(people.admin.email))('clinic');
    const forms = await readJson<QuestionForm[]>(inTheOffice('/appoinments/question-forms'));
    const found = forms.find((one) => one.specialty === specialty);
    if (found) return found;
    const json = { specialty, version: 0, questions };
    return readJson<QuestionForm>(inTheOffice('/appoinments/question-forms', { method: 'POST', json }));
  };
  return {
    listQuestionForms: plain(),
    saveQuestionForm: async () => {
      const { version } = await form();
      return { body: { specialty, version, questions } };
    },
    changeQuestionForm: async () => {
      const { _id: id, version } = await form();
      return { params: { id }, body: { version, asked: true } };
    },
    listOpenQuestions: plain(),
    getVisitQuestions: () => aboutAppointment(),
    answerQuestions: async () => {
      const { _id, version } = await form();
      return aboutAppointment(() => ({ form: _id, version, answers: [{ id: 'q1', answer: ['Yes'] }] }));
    },
  } satisfies Requests;
}

function seriesRequests({ freeSlot, aboutAppointment }: ClinicRecords) {
  return {
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
    // The appointment is no series: whoever is let in gets an error.
    changeSeries: async () => {
      const request = await aboutAppointment();
      const { date, time } = request.record as unknown as Appointment;
      return { ...request, body: { seen: { date, time }, change: { act: 'cancel' } }, letIn: 409 };
    },
    previewFollowing: async () => ({ ...(await aboutAppointment()), body: {}, letIn: 409 }),
    planDay: async () => {
      const { record } = await aboutAppointment();
      return { record: record ?? {}, body: { appointments: [record?.['_id']] } };
    },
    // Nobody has changed it: whoever is let in gets an error.
    undoStatusChanges: async () => {
      const { record } = await aboutAppointment();
      const { _id: id, date, time, status } = record as unknown as Appointment;
      return { record: record ?? {}, body: { changes: [{ id, seen: { date, time, status } }] }, letIn: 409 };
    },
    // Nobody has moved it: whoever is let in gets an error.
    undoMoves: async () => {
      const { record } = await aboutAppointment();
      const { _id: id, doctoremail, date, time } = record as unknown as Appointment;
      return { record: record ?? {}, body: { moves: [{ id, seen: { doctoremail, date, time } }] }, letIn: 409 };
    },
  } satisfies Requests;
}
