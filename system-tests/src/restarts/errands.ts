import assert from 'node:assert/strict';
import { demoAccounts, demoPatients } from '@clinic/demo-data';
import type { TestFetch } from '@clinic/service-kit/testing';
import type { Errand } from './load.ts';

/** What people do in each of the three domains, and what is left of it. */
export interface Errands {
  readonly errands: readonly Errand[];
  /** Units in stock of the medicine that each `restock` adds one to. */
  readonly stock: () => Promise<number>;
}

/** Signs in people of the demo who read and make changes. */
export async function openErrands(signIn: (email: string) => Promise<TestFetch>): Promise<Errands> {
  const [patient, pharmacist, admin] = [
    await signIn(demoAccounts.patient),
    await signIn(demoAccounts.pharmacist),
    await signIn(demoAccounts.admin),
  ];
  const [doctor] = (await (await admin('/doctors?limit=1')).json()) as { _id: string }[];
  const [medicine] = (await (await pharmacist('/medicine?limit=1')).json()) as { _id: { $oid: string } }[];
  const bystander = demoPatients.at(-1)?.email;
  assert.ok(doctor && medicine && bystander);
  const medicinePath = `/medicine/${medicine._id.$oid}`;
  const changes = (json: unknown) => ({ method: 'PATCH', json });
  const appointments = `/appoinments?email=${demoAccounts.patient}&limit=5`;
  const read = (service: Errand['service'], name: string, run: Errand['run']): Errand => ({
    service,
    safe: true,
    name,
    run,
  });
  const change = (service: Errand['service'], name: string, run: Errand['run']): Errand => ({
    service,
    safe: false,
    name,
    run,
  });
  return {
    errands: [
      read('identity', 'own session', () => patient('/jwt/session')),
      read('identity', 'all users', () => admin('/users?limit=5')),
      change('identity', 'switch an account on', () =>
        admin(`/users/${bystander}/access`, changes({ disabled: false })),
      ),
      read('clinic', 'doctors', () => patient('/doctors?limit=5')),
      read('clinic', 'own appointments', () => patient(appointments)),
      change('clinic', 'change a doctor', () => admin(`/doctors/${doctor._id}`, changes({ isAvailable: true }))),
      read('pharmacy', 'all medicines', () => patient('/medicine')),
      read('pharmacy', 'all orders', () => pharmacist('/orderMedi?limit=5')),
      change('pharmacy', 'restock', () => pharmacist(medicinePath, changes({ restock: 1 }))),
    ],
    stock: async () => {
      const { medicine: now } = (await (await pharmacist(medicinePath)).json()) as {
        medicine: { quantity: { $numberInt: string } };
      };
      return Number(now.quantity.$numberInt);
    },
  };
}
