import assert from 'node:assert/strict';
import { clinicMoment } from '@clinic/contracts';

/** Names that searches and sorting get wrong: mixed case, equal, nearly equal, letters that sort oddly, very long. */
const names = [
  'Jos\u00e9 \u0130stanbul',
  'Jose\u0301 Weiß',
  'WEISS jose\u0301',
  'জ\u09dfা রহমান',
  'জ\u09af\u09bcা রহমান',
  "Anne-Marie O'Neil",
  'Núñez O’Brien',
  'Nunez O\u2011brien',
  'Ñato Đặng',
  'Ärzte ৫০',
  'Ann Lee',
  'ann lee',
  'Ann\u00a0Lee',
  'ANN LEE',
  '\ue000 Private',
  '🧑 Ann',
  'ﬁne Ångström',
  '(Syrup) 5%',
  '.* [a-z]+',
  'র\u200d্যাব',
  'ঔ'.repeat(99),
  'ΟΔΥΣΣΕΥΣ',
  'Ὀδυσσεύς',
  'Zoë',
  'Ž',
  'z',
  '1 2 3',
  '李小龙',
  'שרה כהן',
];
/** The name of a record. */
export const name = (at: number): string => names[at % names.length] ?? '';
/** One of some values, by the record's number. */
export const pick = <T>(from: readonly T[], at: number): T =>
  from[(at * 7) % from.length] ?? assert.fail('there is nothing to pick from');

/** A phone number as people write it. */
export const phoneNumber = (at: number): string => {
  const own = `17${at % 3}0 1000${String(at).padStart(2, '0')}`;
  const digits = '০১২৩৪৫৬৭৮৯';
  return pick(
    [
      `+880 ${own}`,
      `0${own.replace(' ', '-')}`,
      `0${own}`.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? ''),
      '1',
    ],
    at,
  );
};

/** The medicine whose movements are read. */
export const movedMedicine = 'ab'.repeat(12);

export const rows = 60;
export const hour = 3_600_000;

export const { date: today } = clinicMoment(new Date(), 'Asia/Dhaka');
export const now = Math.floor(Date.now() / 1_000) * 1_000;
/** The time of a record. Many have the same one: only their ids decide the order. */
export const moment = (at: number): Date => new Date(now - Math.floor(at / 4) * 7 * hour);
/** The numbers of the records. */
export const numbers = Array.from({ length: rows }, (_, at) => at);
