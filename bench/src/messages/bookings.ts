import { setTimeout as delay } from 'node:timers/promises';
import type { TestIssuer } from '@clinic/service-kit/testing/issuer';
import { freeSlot } from './records.ts';

/** Milliseconds between two bookings, whether or not the previous one has been answered. */
const every = 100;

/** Patients who book one after the other, once each. */
export class Bookings {
  readonly #url: string;
  readonly #issuer: TestIssuer;
  #made = 0;

  /** @param url of svc-clinic */
  constructor(url: string, issuer: TestIssuer) {
    this.#url = url;
    this.#issuer = issuer;
  }

  /**
   * Books at a steady pace.
   *
   * @returns milliseconds each booking took, counted from its planned start
   * @throws Error when one is rejected
   */
  async until(isOver: () => boolean): Promise<number[]> {
    const began = performance.now();
    const times: Promise<number>[] = [];
    // A rejection stops the pace at once, not only when all bookings are awaited.
    let refusal: unknown;
    while (!isOver() && refusal === undefined) {
      const request = await this.#request();
      const planned = began + times.length * every;
      await delay(Math.max(0, planned - performance.now()));
      const time = fetch(`${this.#url}/appoinments`, request).then(async (response) => {
        const text = await response.text();
        if (response.status !== 201) throw new Error(`A booking was answered with ${response.status}: ${text}`);
        return performance.now() - planned;
      });
      time.catch((error: unknown) => (refusal = error));
      times.push(time);
    }
    return Promise.all(times);
  }

  async #request(): Promise<RequestInit> {
    const index = (this.#made += 1);
    const email = `booking${index}@mail.example`;
    const cookie = `clinic_session=${await this.#issuer.token({ email, role: 'patient' })}`;
    return {
      method: 'POST',
      headers: { Cookie: cookie, 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
      body: JSON.stringify({
        patientname: 'Ann Lee',
        patientemail: email,
        age: 34,
        address: '5 Lake Road',
        number: '+880 1555 010999',
        ...freeSlot(index),
      }),
    };
  }
}
