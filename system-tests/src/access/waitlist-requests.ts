import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import type { WaitlistEntry } from '@clinic/svc-clinic/contract/waitlist-calls';
import { ObjectId } from 'mongodb';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people } from '../support/three-services.ts';
import type { ClinicRecords } from './clinic-records.ts';
import { ofPatient, plain, type Request, type Requests } from './request.ts';

const { doctor, patient } = people;

const waitFor = ({ _id, date }: Appointment) => ({
  patientemail: patient.email,
  appointment: _id,
  from: date,
  until: date,
  parts: ['evening'],
});

/** Requests for the calls of svc-clinic about the waitlist. */
export function waitlistRequests(records: ClinicRecords) {
  const { services, as, user, doctorRecord, doctorId, freeSlot, appointment, aboutAppointment } = records;
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
  return {
    // Nothing is earlier on that day, so nobody is offered anything.
    joinWaitlist: async () => {
      const request = await aboutAppointment();
      return { record: request.record, body: waitFor(request.record as unknown as Appointment) };
    },
    listWaitlist: plain({ query: ofPatient }),
    listWaitingForDoctor: plain(doctorId),
    leaveWaitlist: async () => {
      const booked = await appointment();
      const entry = await readJson<WaitlistEntry>(
        (await as(patient.email))('clinic')('/waitlist', { method: 'POST', json: waitFor(booked) }),
      );
      return { params: { id: entry._id }, record: entry };
    },
    listOffers: plain({ query: ofPatient }),
    acceptOffer: missedOffer,
    declineOffer: missedOffer,
  } satisfies Requests;
}
