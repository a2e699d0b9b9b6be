/** A patient who booked by telephone and has no account. */
export interface DemoCaller {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  /** Years. */
  readonly age: number;
}

/** A patient with an account who waits for one of the fully booked doctor's times. */
export interface DemoWaiting {
  /** Email of a demo patient. */
  readonly email: string;
  /** First and last day they can come, in days from the first start. */
  readonly days: readonly [first: number, last: number];
  /** Days since they joined. */
  readonly since: number;
  readonly reason?: string;
}

/** Email of the doctor who has no free time for as far ahead as hours are planned. */
export const fullyBookedDoctor = 'nusrat.jahan@clinic.example';

const callers: readonly (readonly [name: string, age: number])[] = [
  ['Anwar Chowdhury', 61],
  ['Beatrice Mwangi', 34],
  ['Carlos Mendes', 47],
  ['Dilara Yasmin', 29],
  ['Edward Clarke', 72],
  ['Farid Ahmed', 38],
  ['Giulia Ferraro', 26],
  ['Habibur Rahman', 55],
  ['Ingrid Solberg', 43],
  ['Jasmine Kaur', 31],
  ['Khaled Mansour', 50],
  ['Lan Pham', 23],
  ['Mahmuda Begum', 66],
  ['Nadeem Qureshi', 41],
  ['Olivia Grant', 19],
  ['Pavel Novak', 58],
  ['Quazi Nawaz', 36],
  ['Rokeya Sultana', 45],
  ['Stefan Keller', 52],
  ['Tasnim Alam', 27],
  ['Uma Krishnan', 39],
  ['Victor Osei', 63],
  ['Wahida Parvin', 48],
  ['Ximena Rojas', 33],
  ['Yusuf Demir', 57],
  ['Zainab Bello', 30],
  ['Ayesha Siddiqua', 24],
  ['Benjamin Hall', 69],
  ['Cemile Arslan', 44],
  ['Dipankar Sen', 53],
  ['Eleni Georgiou', 37],
  ['Fazlul Haque', 75],
];

/** The patients with appointments at the fully booked doctor's times. */
export const demoCallers: readonly DemoCaller[] = callers.map(([name, age], index) => ({
  name,
  age,
  email: `${name.replace(' ', '.')}@mail.example`.toLowerCase(),
  phone: `+880 1555 0105${String(index).padStart(2, '0')}`,
}));

/** The patients who wait for one of these times, longest first. */
export const demoWaiting: readonly DemoWaiting[] = [
  { email: 'daniel.costa@mail.example', days: [0, 27], since: 9, reason: 'A mole that has changed' },
  { email: 'grace.okafor@mail.example', days: [0, 13], since: 6 },
  { email: 'jonas.lindqvist@mail.example', days: [7, 27], since: 4, reason: 'Eczema on both hands' },
  { email: 'sofia.martins@mail.example', days: [0, 27], since: 2 },
  { email: 'hannah.weiss@mail.example', days: [3, 20], since: 1, reason: 'Follow-up after treatment' },
];
