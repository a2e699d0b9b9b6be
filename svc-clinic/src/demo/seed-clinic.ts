import { clinicMoment } from '@clinic/contracts';
import { demoDoctors, demoPharmacists } from '@clinic/demo-data';
import { seedDemoOnce } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { appointmentRecord } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';
import { doctorRecord } from '../doctors/doctor-record.ts';
import { pharmacistRecord } from '../pharmacists/pharmacist-record.ts';
import type { ClinicContext } from '../settings.ts';
import { demoAppointments } from './demo-appointments.ts';

/** Fills the database of a demo with doctors, pharmacists and appointments around today, once. */
export async function seedClinic(context: ClinicContext): Promise<void> {
  const { doctors, pharmacists, appointments } = collectionsOf(context.db);
  const now = new Date();
  const today = clinicMoment(now, context.settings.CLINIC_TZ).date;
  await seedDemoOnce(context, async (session) => {
    await doctors.insertMany(
      demoDoctors.map(({ name, email, qualification, education, specialty, experience, location, image, isAvailable, availableTimes, rating }) =>
        doctorRecord({
          _id: new ObjectId(), name, email, qualification, education, specialization: specialty, experience, location, image, isAvailable,
          availableTimes, rating, createdAt: now,
        }),
      ),
      { session },
    );
    await pharmacists.insertMany(
      demoPharmacists.map(({ name, email, phone, status, qualification, specialization, experience }) =>
        pharmacistRecord({ _id: new ObjectId(), name, email, phone, status, qualification, specialization, experience, createdAt: now }),
      ),
      { session },
    );
    await appointments.insertMany(
      demoAppointments(today).map((appointment) => appointmentRecord({ _id: new ObjectId(), ...appointment })),
      { session },
    );
  });
}
