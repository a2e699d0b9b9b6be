import { brand } from '@clinic/contracts/brand';

/** A question and its answer. */
export interface Question {
  readonly question: string;
  readonly answer: string;
}

/** On insurance, scheduling, the first visit and telemedicine. */
export const questions: readonly Question[] = [
  {
    question: 'Do you accept my insurance?',
    answer: `We work with most major insurers. Bring your card, or call ${brand.phone} and we’ll check your cover before you come. You can also pay yourself. We’ll tell you the price first.`,
  },
  {
    question: 'How do I schedule an appointment?',
    answer:
      'Choose a doctor, a day and a free time, then confirm. You’ll find the appointment in My Appointments. You can also book by phone.',
  },
  {
    question: 'What should I bring to my first visit?',
    answer:
      'Bring an identity document, your insurance card, a list of the medicines you take, and any earlier results. Come 10 minutes early so we can set up your record.',
  },
  {
    question: 'Do you offer telemedicine?',
    answer:
      'Yes. You can use video for follow-ups, prescriptions and many first questions. If you need an examination, your doctor will offer you a time at the clinic.',
  },
];

/** The questions as a https://schema.org/FAQPage. */
export const questionFacts = {
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
} as const;
