import assert from 'node:assert/strict';
import { demoAccounts, demoPatients } from '@clinic/demo-data';
import type { TestFetch } from '@clinic/service-kit/testing';
import type { LoadRequest } from './load.ts';

/** What people do in each of the three domains. */
export interface LoadRequests {
  readonly requests: readonly LoadRequest[];
  /** Units in stock of the medicine that each `restock` adds one to. */
  readonly stock: () => Promise<number>;
}

/** Signs in people of the demo who read and make changes. */
export async function openLoadRequests(signIn: (email: string) => Promise<TestFetch>): Promise<LoadRequests> {
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
  const request =
    (safe: boolean) =>
    (service: LoadRequest['service'], name: string, run: LoadRequest['run']): LoadRequest => ({
      service,
      safe,
      name,
      run,
    });
  const [read, change] = [request(true), request(false)];
  return {
    requests: [
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
