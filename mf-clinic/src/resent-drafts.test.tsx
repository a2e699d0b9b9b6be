import { testResentDrafts } from '@clinic/app-kit/test-resent-drafts';
import { addDays, clinicMoment } from '@clinic/contracts';
import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import remote from '../remote.config.ts';
import { usualWeek } from './schedule/draft.ts';
import { ann, doctor, grey, nadia } from './testing/records.ts';

const date = addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 2);
const patient = { patientname: 'Ann Lee', age: '34', number: '+880 1555 010999', address: '5 Lake Road' };
const hours = { takesAppointments: true, periods: [usualWeek], daysOff: [], exceptions: [] };

testResentDrafts(remote, import.meta.dirname, (file) => import(`../${file}`), clinicCalls, [
  {
    call: 'bookAppointment',
    at: `/appoinment/${doctor._id}`,
    user: ann,
    draft: [
      `booking ${ann.email} ${doctor._id}`,
      { ...patient, patientemail: ann.email, reason: '', date, time: '09:30' },
    ],
    press: ['Book Appointment'],
    answer: ({ path }) => {
      if (path === '/doctors') return Response.json(doctor);
      if (!path.endsWith('/free-times')) return undefined;
      return Response.json({ date, times: ['09:30'], anyTime: false, timeZone: 'Asia/Dhaka' });
    },
  },
  {
    call: 'joinWaitlist',
    at: `/appoinment/${doctor._id}`,
    user: ann,
    draft: [
      `waitlist ${ann.email} ${doctor.email}`,
      { patient, from: date, until: addDays(date, 7), parts: ['morning'], anyDoctor: false },
    ],
    press: ['Tell me if an earlier time becomes free', 'Join the waitlist'],
    answer: ({ path }) => (path === '/doctors' ? Response.json(doctor) : undefined),
  },
  {
    call: 'saveQuestionForm',
    at: '/dash/questions',
    user: nadia,
    draft: [
      'question form Some words',
      { version: 0, questions: [{ id: 'q1', text: 'Why?', kind: 'short text', required: false, choices: '' }] },
    ],
    press: ['Edit: Some words', 'Save the questions'],
  },
  {
    call: 'changeSchedule',
    at: '/dash/dProfile',
    user: grey,
    draft: [`schedule ${doctor._id}`, { version: 'v1', base: hours, draft: { ...hours, daysOff: [date] } }],
    press: ['Save my hours'],
    answer: ({ path }) => (path.startsWith('/doc-pharma/') ? Response.json([doctor]) : undefined),
  },
]);
