import assert from 'node:assert/strict';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { test } from 'node:test';
import { clinicCalls } from './contract/calls.ts';
import { addDays } from '@clinic/contracts';
import { ann, ben, drGrey, drHouse, requestBooking, sharedClinic, storedAppointment } from './testing/test-clinic.ts';

const clinic = await sharedClinic({ CLINIC_PUBLISH_SLOTS: 'true', PUBLIC_URL: 'https://clinic.example' });

test('every call returns what its contract describes, and no extra field', async () => {
  const admin = clinic.as('admin');
  const doctor = await clinic.addDoctor();
  const profile = {
    name: 'Pia',
    email: 'pia@clinic.example',
    qualification: 'PharmD',
    specialization: 'Oncology',
    experience: 2,
    role: 'pharmacist',
  };
  const tried = new Set<keyof typeof clinicCalls>();
  async function check(id: keyof typeof clinicCalls, answer: Response): Promise<unknown> {
    const text = await answer.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    assert.equal(answer.status, clinicCalls[id].status, `${id}: ${JSON.stringify(body)}`);
    // Parsing drops fields that the contract doesn't know, so that extra ones show up as a difference.
    assert.deepEqual(clinicCalls[id].response.parse(body), body, id);
    tried.add(id);
    return body;
  }
  const pharmacist = clinicCalls.changePharmacist.response.parse(
    await check('createProfile', await admin('/doc-pharma', { method: 'POST', json: profile })),
  );
  await check(
    'changePharmacist',
    await admin(`/pharmacists/${pharmacist._id}`, { method: 'PATCH', json: { status: 'on leave' } }),
  );
  await check(
    'changeDoctor',
    await admin(`/doctors/${doctor._id.toHexString()}/profile`, { method: 'PATCH', json: { location: 'Level 4' } }),
  );
  await check('createProfile', await admin('/doc-pharma', { method: 'POST', json: { ...profile, role: 'doctor' } }));
  const booked = await check('bookAppointment', await requestBooking(clinic, ann));
  const { _id } = clinicCalls.bookAppointment.response.parse(booked);
  await check('listDoctors', await clinic.anonymous('/doctors'));
  await check('listDoctors', await clinic.anonymous(`/doctors?_id=${doctor._id.toHexString()}`));
  await check(
    'listFreeTimes',
    await clinic.anonymous(`/doctors/${doctor._id.toHexString()}/free-times?date=${clinic.soon}`),
  );
  await check('listPharmacists', await admin('/pharmacists'));
  await check('getProfiles', await clinic.as(drGrey)(`/doc-pharma/${drGrey.email}`));
  await check('listAppointments', await admin('/appoinments?limit=10'));
  await check('listUnconfirmedAppointments', await clinic.as(drGrey)(`/appoinments/unconfirmed?email=${drGrey.email}`));
  await check(
    'changeAppointmentStatus',
    await admin(`/update-appoinment/${_id}`, { method: 'PATCH', json: { newStatus: 'Confirmed' } }),
  );
  const doctorId = doctor._id.toHexString();
  await check(
    'rescheduleAppointment',
    await admin(`/appoinments/${_id}`, { method: 'PATCH', json: { date: clinic.soon, time: '09:30' } }),
  );
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
  await check(
    'moveToColleague',
    await admin(`/appoinments/${_id}/doctor`, {
      method: 'PATCH',
      json: { doctoremail: drHouse.email, date: clinic.soon, time: '10:00', patientChoice: 'agreed' },
    }),
  );
  await check(
    'correctAppointment',
    await admin(`/appoinments/${_id}/details`, { method: 'PATCH', json: { number: '+880 1555 777009' } }),
  );
  await check(
    'listFreeDays',
    await clinic.anonymous(`/doctors/${doctorId}/free-days?from=${clinic.today}&until=${clinic.soon}`),
  );
  await check(
    'changeAvailability',
    await clinic.as(drGrey)(`/doctors/${doctorId}`, { method: 'PATCH', json: { daysOff: [clinic.soon] } }),
  );
  await clinic.doctors.updateOne({ email: drHouse.email }, { $set: { daysOff: [clinic.soon] } });
  await check(
    'settleOutside',
    await admin(`/appoinments/${_id}/outside`, {
      method: 'PATCH',
      json: { seen: { doctoremail: drHouse.email, date: clinic.soon, time: '10:00' }, decision: { act: 'keep' } },
    }),
  );
  const schedule = clinicCalls.getSchedule.response.parse(
    await check('getSchedule', await admin(`/doctors/${doctorId}/schedule`)),
  );
  await check(
    'previewSchedule',
    await admin(`/doctors/${doctorId}/schedule/preview`, { method: 'POST', json: schedule }),
  );
  await check(
    'changeSchedule',
    await admin(`/doctors/${doctorId}/schedule`, { method: 'PATCH', json: { ...schedule, daysOff: [] } }),
  );
  await check(
    'getClinicCalendar',
    await admin(`/doctors/calendar?doctor=${doctorId}&from=${clinic.soon}&until=${clinic.soon}`),
  );
  await check('findPatients', await admin('/appoinments/patients?q=lee'));
  const arrives = storedAppointment({ date: clinic.today, time: '23:00' });
  await clinic.appointments.insertOne(arrives);
  await check(
    'changeAttendance',
    await admin(`/appoinments/${arrives._id.toHexString()}/attendance`, {
      method: 'PATCH',
      json: { from: 'expected', to: 'arrived' },
    }),
  );
  await check('getPlaceInQueue', await admin(`/appoinments/${arrives._id.toHexString()}/queue`));
  const { secret } = clinicCalls.replaceWaitingScreen.response.parse(
    await check('replaceWaitingScreen', await admin('/appoinments/waiting-screen', { method: 'POST' })),
  );
  await check('getWaitingScreen', await admin('/appoinments/waiting-screen'));
  await check('readWaitingRoom', await clinic.anonymous(`/waiting-room/${secret}`));
  await check('endWaitingScreen', await admin('/appoinments/waiting-screen', { method: 'DELETE' }));
  await check('getDay', await admin(`/appoinments/day?date=${clinic.today}`));
  await clinic.appointments.deleteOne({ _id: arrives._id });
  await check(
    'previewSeries',
    await admin('/appoinments/series/preview', {
      method: 'POST',
      json: { from: _id, first: { date: clinic.soon, time: '09:30' }, every: { unit: 'weeks', count: 1 }, count: 3 },
    }),
  );
  const dates = [7, 14].map((days) => ({ date: addDays(clinic.soon, days), time: '09:30' }));
  const [firstOfSeries] = clinicCalls.bookSeries.response.parse(
    await check('bookSeries', await admin('/appoinments/series', { method: 'POST', json: { from: _id, dates } })),
  );
  const seriesChange = (json: object) => admin(`/appoinments/${firstOfSeries?._id}/series`, { method: 'PATCH', json });
  const [movedOne] = clinicCalls.changeSeries.response.parse(
    await check(
      'changeSeries',
      await seriesChange({ seen: dates[0], change: { ...dates[0], act: 'move', time: '09:00' } }),
    ),
  );
  const seen = { doctoremail: movedOne?.doctoremail, date: movedOne?.date, time: movedOne?.time };
  await check(
    'undoMoves',
    await admin('/appoinments/undone', { method: 'PATCH', json: { moves: [{ id: movedOne?._id, seen }] } }),
  );
  await check(
    'proposeMoves',
    await admin('/appoinments/outside/times', { method: 'POST', json: { appointments: [movedOne?._id] } }),
  );
  await check('changeSeries', await seriesChange({ seen: dates[0], change: { act: 'cancel' } }));
  const { holiday } = clinicCalls.addHoliday.response.parse(
    await check(
      'addHoliday',
      await admin('/doctors/holidays', {
        method: 'POST',
        json: { name: 'Eid', from: clinic.soon, until: clinic.soon },
      }),
    ),
  );
  await check('listHolidays', await clinic.anonymous('/doctors/holidays'));
  await check('removeHoliday', await admin(`/doctors/holidays/${holiday._id}`, { method: 'DELETE' }));
  const waitFor = (date: string, doctoremail: string) => ({
    patientemail: ben.email,
    doctoremail,
    from: date,
    until: date,
    parts: ['morning'],
    patientname: 'Ben Kay',
    age: 40,
    address: '5 Lake Road',
    number: '+880 1555 010998',
  });
  const offerOf = () =>
    waitUntil(async () => {
      const answer = await clinic.as(ben)(`/waitlist/offers?email=${ben.email}&open=true`);
      const [offer] = clinicCalls.listOffers.response.parse(await check('listOffers', answer));
      assert.ok(offer);
      return offer._id;
    });
  const post = (path: string, json: object) => clinic.as(ben)(path, { method: 'POST', json });
  // People wait for a doctor who has no free time; then two get free.
  const takesAppointments = (isAvailable: boolean) =>
    admin(`/doctors/${doctorId}`, { method: 'PATCH', json: { isAvailable } });
  await takesAppointments(false);
  const entry = clinicCalls.joinWaitlist.response.parse(
    await check('joinWaitlist', await post('/waitlist', waitFor(clinic.soon, drGrey.email))),
  );
  await takesAppointments(true);
  await check('declineOffer', await post(`/waitlist/offers/${await offerOf()}/decline`, {}));
  await check('acceptOffer', await post(`/waitlist/offers/${await offerOf()}/accept`, {}));
  await check('listWaitlist', await clinic.as(ben)(`/waitlist?email=${ben.email}`));
  await check('listWaitingForDoctor', await clinic.as(drGrey)(`/doctors/${doctorId}/waitlist`));
  await check('leaveWaitlist', await clinic.as(ben)(`/waitlist/${entry._id}`, { method: 'DELETE' }));
  await check('listAppointmentsOutsideTimes', await clinic.as(drGrey)(`/doctors/${doctorId}/outside-times`));
  await check('getAppointmentHistory', await admin(`/appoinments/${_id}/history`));
  await check('listClinicEvents', await admin('/appoinments/events?limit=5'));
  await check('listClinicLooks', await admin(`/appoinments/looks?email=${ann.email}`));
  await check('exportClinicData', await clinic.as(ann)(`/appoinments/export?email=${ann.email}`));
  await check('replaceCalendarFeed', await admin('/appoinments/calendar-feed', { method: 'POST' }));
  await check('getCalendarFeed', await admin('/appoinments/calendar-feed'));
  await check('endCalendarFeed', await admin('/appoinments/calendar-feed', { method: 'DELETE' }));
  await check('getSchedulingManifest', await clinic.anonymous('/scheduling-links/$bulk-publish'));
  await check(
    'eraseClinicData',
    await admin('/appoinments/erasure', {
      method: 'POST',
      json: { email: ann.email, userId: clinic.issuer.idOf(ann.email) },
    }),
  );
  const atDesk = await requestBooking(clinic, 'admin', {
    patientemail: null,
    date: addDays(clinic.soon, 1),
    time: '10:00',
  });
  const { _id: deskId } = clinicCalls.bookAppointment.response.parse(await check('bookAppointment', atDesk));
  await check('erasePatient', await admin(`/appoinments/${deskId}/patient`, { method: 'DELETE' }));
  await check('reportAppointments', await admin('/appoinments/report'));
  const json = Object.entries(clinicCalls)
    .filter(([, call]) => !('media' in call))
    .map(([id]) => id);
  assert.deepEqual([...tried].toSorted(), json.toSorted());
});
